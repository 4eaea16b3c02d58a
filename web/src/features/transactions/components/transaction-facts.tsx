import type { ChosenFee, TransactionDetail } from '@causeway/contract/transactions.ts';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { Time } from '../../../ui/time.tsx';
import { isInNoBlock, shortRate, typeTexts } from '../words.ts';
import { Account } from './account.tsx';
import { ValueThen } from './value-then.tsx';

interface Props {
  detail: TransactionDetail;
  explorerOf: (hash: string) => string | null;
  /** Where the payments of a transaction are listed; absent where they are named elsewhere on the page. */
  paymentsOf?: (hash: string) => string;
}

/** What there is to know about a transaction, as terms and values; what it does not have is left out. */
export function TransactionFacts({ detail, explorerOf, paymentsOf }: Props) {
  const t = useText();
  const formats = useFormats();
  const atBank = detail.chain === null;
  // An acceleration has a fee alone.
  const paysSomeone = detail.type !== 'chain_accelerate';
  const money = (amount: string) => <Money amount={amount} coin={detail.coin} align="right" />;
  const facts: (Fact | false)[] = [
    { term: t('transactions.column.type'), value: t(typeTexts[detail.type]) },
    // What the type says already is not said twice.
    ![t(typeTexts[detail.type]), ''].includes(detail.description) && {
      term: t('transactions.panel.description'),
      value: detail.description,
    },
    paysSomeone && { term: t('transactions.column.amount'), value: money(detail.quantity) },
    /[1-9]/.test(detail.fee) &&
      detail.networkFee?.amount !== detail.fee && { term: t('transactions.column.fee'), value: money(detail.fee) },
    detail.networkFee !== null && {
      term: t('transactions.panel.networkFee'),
      value: <NetworkFee fee={detail.networkFee} coin={detail.coin} />,
    },
    detail.networkFee !== null &&
      detail.networkFee.joinedWith > 0 && {
        term: t('transactions.panel.joinedWith'),
        value: <JoinedWith count={detail.networkFee.joinedWith} href={detail.hash && paymentsOf?.(detail.hash)} />,
      },
    paysSomeone &&
      detail.exchange === null &&
      detail.estimatedCredited !== null &&
      detail.actualCredited === null && {
        term: t('transactions.panel.estimated'),
        value: money(detail.estimatedCredited),
      },
    // Of an exchange, what arrives is the other asset.
    paysSomeone &&
      detail.exchange === null &&
      detail.actualCredited !== null && { term: t('transactions.panel.actual'), value: money(detail.actualCredited) },
    detail.exchange !== null && {
      term: t('transactions.panel.exchanged'),
      value: <Money amount={detail.exchange.quantity} coin={detail.exchange.asset} align="right" />,
    },
    detail.exchange !== null &&
      detail.exchangeRate !== null && {
        term: t('transactions.panel.rate'),
        value: (
          <span className="figures">
            {t('transactions.panel.rateOf', {
              asset: detail.coin,
              rate: rateText(detail.exchangeRate),
              other: detail.exchange.asset,
            })}
          </span>
        ),
      },
    detail.valueDate !== null && {
      term: t('transactions.panel.valueDate'),
      value: <time dateTime={detail.valueDate}>{formats.date(dayOf(detail.valueDate))}</time>,
    },
    detail.trade !== null && {
      term: t('transactions.panel.trade'),
      value: (
        <PlainLink href={`/app/wallet/tradego/${detail.trade.id}`} className="text-accent">
          {[detail.trade.number, detail.trade.milestone].filter((part) => part !== null).join(' · ')}
        </PlainLink>
      ),
    },
    detail.batch !== null && {
      term: t('transactions.panel.batch'),
      value: (
        <PlainLink href={`/app/storm/${detail.batch.id}/run/${detail.batch.runId}`} className="text-accent">
          {t('transactions.panel.batchRow', { name: detail.batch.name, row: detail.batch.row })}
        </PlainLink>
      ),
    },
    detail.paymentRequest !== null && {
      term: t('transactions.panel.request'),
      value: (
        <PlainLink href={`/app/u-collection/${detail.paymentRequest.id}`} className="text-accent">
          {[detail.paymentRequest.title, detail.paymentRequest.reference].filter(Boolean).join(' · ')}
        </PlainLink>
      ),
    },
    detail.bankReference !== null && {
      term: t('transactions.panel.bankReference'),
      value: <span className="figures break-all">{detail.bankReference}</span>,
    },
    { term: t('transactions.panel.valueThen'), value: <ValueThen detail={detail} /> },
    party(t('transactions.panel.payer'), detail.payer, atBank),
    party(t('transactions.panel.payee'), detail.payee, atBank),
    { term: t(atBank ? 'transactions.column.bank' : 'transactions.column.chain'), value: detail.placeName },
    detail.hashes.length > 0 && {
      term: t('transactions.panel.hashes', { count: detail.hashes.length }),
      value: (
        <span className="flex flex-col items-end">
          {detail.hashes.map((hash) => (
            <Address
              key={hash}
              value={hash}
              short
              what={t('transactions.column.hash')}
              explorerUrl={explorerOf(hash)}
            />
          ))}
        </span>
      ),
    },
    (detail.blockNumber !== null || isInNoBlock(detail)) && {
      term: t('transactions.panel.block'),
      value: detail.blockNumber === null ? t('transactions.panel.blockToCome') : String(detail.blockNumber),
    },
    detail.initiator !== null && { term: t('transactions.panel.initiator'), value: detail.initiator },
    { term: t('transactions.column.time'), value: <Time at={detail.createdAt} /> },
    detail.invoiceNumber !== null && { term: t('transactions.column.invoiceNumber'), value: detail.invoiceNumber },
    detail.category !== null && { term: t('transactions.column.category'), value: detail.category },
    detail.notes !== '' && {
      term: t('transactions.panel.notes'),
      value: <span className="whitespace-pre-wrap">{detail.notes}</span>,
    },
    {
      term: t('transactions.panel.id'),
      value: (
        <span className="inline-flex items-center gap-1">
          <span className="font-mono text-12 break-all">{detail.id}</span>
          <CopyButton text={detail.id} what={t('transactions.panel.id')} />
        </span>
      ),
    },
  ];
  return <DescriptionList facts={facts.filter((fact) => fact !== false)} />;
}

function NetworkFee({ fee: { amount, level, feeRate }, coin }: { fee: ChosenFee; coin: string }) {
  const t = useText();
  return (
    <span className="flex flex-col items-end">
      <Money amount={amount} coin={coin} align="right" />
      <span className="figures text-12 text-muted">
        {t(`transactions.panel.feeLevel.${level}`)} · {t('transactions.panel.feeRate', { rate: shortRate(feeRate) })}
      </span>
    </span>
  );
}

/** How many other payments its transaction makes. */
function JoinedWith({ count, href }: { count: number; href: string | null | undefined }) {
  const t = useText();
  const text = t('transactions.panel.joinedCount', { count });
  return href ? (
    <PlainLink href={href} className="text-accent">
      {text}
    </PlainLink>
  ) : (
    text
  );
}

function party(term: string, { name, account }: TransactionDetail['payer'], atBank: boolean): Fact | false {
  if (name === null && account === null) return false;
  return {
    term,
    value: (
      <span className="flex flex-col items-end">
        {name !== null && <span>{name}</span>}
        {account !== null && <Account value={account} atBank={atBank} what={term} />}
      </span>
    ),
  };
}
