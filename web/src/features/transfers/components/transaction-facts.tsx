import type { TransactionDetail } from '@causeway/contract/transfers.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { typeTexts } from '../words.ts';

interface Props {
  detail: TransactionDetail;
  explorerOf: (hash: string) => string | null;
}

/** What there is to know about a transaction, as terms and values; what it does not have is left out. */
export function TransactionFacts({ detail, explorerOf }: Props) {
  const t = useText();
  const money = (amount: string) => <Money amount={amount} coin={detail.coin} align="right" />;
  const facts: (Fact | false)[] = [
    { term: t('transfers.column.type'), value: t(typeTexts[detail.type]) },
    // What the type says already is not said twice.
    ![t(typeTexts[detail.type]), ''].includes(detail.description) && {
      term: t('transfers.panel.description'),
      value: detail.description,
    },
    { term: t('transfers.column.amount'), value: money(detail.quantity) },
    /[1-9]/.test(detail.fee) && { term: t('transfers.column.fee'), value: money(detail.fee) },
    detail.estimatedCredited !== null &&
      detail.actualCredited === null && {
        term: t('transfers.panel.estimated'),
        value: money(detail.estimatedCredited),
      },
    detail.actualCredited !== null && { term: t('transfers.panel.actual'), value: money(detail.actualCredited) },
    detail.exchangeRate !== null && { term: t('transfers.panel.rate'), value: detail.exchangeRate },
    party(t('transfers.panel.payer'), detail.payer),
    party(t('transfers.panel.payee'), detail.payee),
    detail.chainName !== null && { term: t('transfers.column.chain'), value: detail.chainName },
    detail.hashes.length > 0 && {
      term: t('transfers.panel.hashes', { count: detail.hashes.length }),
      value: (
        <span className="flex flex-col items-end">
          {detail.hashes.map((hash) => (
            <Address key={hash} value={hash} short what={t('transfers.column.hash')} explorerUrl={explorerOf(hash)} />
          ))}
        </span>
      ),
    },
    detail.blockNumber !== null && { term: t('transfers.panel.block'), value: String(detail.blockNumber) },
    detail.initiator !== null && { term: t('transfers.panel.initiator'), value: detail.initiator },
    { term: t('transfers.column.time'), value: <Time at={detail.createdAt} /> },
    detail.notes !== '' && {
      term: t('transfers.panel.notes'),
      value: <span className="whitespace-pre-wrap">{detail.notes}</span>,
    },
    {
      term: t('transfers.panel.id'),
      value: (
        <span className="inline-flex items-center gap-1">
          <span className="font-mono text-12 break-all">{detail.id}</span>
          <CopyButton text={detail.id} what={t('transfers.panel.id')} />
        </span>
      ),
    },
  ];
  return <DescriptionList facts={facts.filter((fact) => fact !== false)} />;
}

function party(term: string, { name, account }: TransactionDetail['payer']): Fact | false {
  if (name === null && account === null) return false;
  return {
    term,
    value: (
      <span className="flex flex-col items-end">
        {name !== null && <span>{name}</span>}
        {account !== null && <Address value={account} short what={term} />}
      </span>
    ),
  };
}
