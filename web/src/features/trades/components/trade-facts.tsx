import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Time } from '../../../ui/time.tsx';
import { ApprovalLink } from '../../transactions/index.ts';
import { explorerLink, useChains } from '../../wallets/index.ts';

/** What both sides see of a trade, its documents, and who confirmed it. */
export function TradeFacts({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const chains = useChains().data?.items;
  const { number, chainId, chainName, asset, payer, payee, billOfLading, hash, createdAt } = trade;
  const address = (value: string, what: string) => (
    <Address value={value} what={what} explorerUrl={explorerLink(chains, chainId, 'address', value)} />
  );
  const company = ({ name, address: place }: typeof payer) => (
    <span className="flex flex-col items-end">
      <span className="font-medium">{name}</span>
      <span className="text-13 text-muted">{place}</span>
    </span>
  );
  return (
    <Card title={t('trades.facts')} aside={<ApprovalLink detail={trade} />}>
      <DescriptionList
        facts={[
          { term: t('trades.field.number'), value: number },
          { term: t('trades.field.chain'), value: chainName },
          { term: t('trades.field.asset'), value: asset },
          { term: t('trades.field.payee'), value: company(payee) },
          { term: t('trades.field.payeeWallet'), value: address(payee.wallet, t('trades.field.payeeWallet')) },
          { term: t('trades.field.payer'), value: company(payer) },
          { term: t('trades.field.payerWallet'), value: address(payer.wallet, t('trades.field.payerWallet')) },
          { term: t('trades.field.billOfLading'), value: billOfLading ?? <Dash /> },
          {
            term: t('trades.field.hash'),
            value:
              hash === null ? (
                <Dash />
              ) : (
                <Address
                  value={hash}
                  what={t('trades.field.hash')}
                  explorerUrl={explorerLink(chains, chainId, 'tx', hash)}
                />
              ),
          },
          { term: t('trades.field.createdAt'), value: <Time at={createdAt} /> },
          ...(trade.confirmedBy === null
            ? []
            : [
                {
                  term: t('trades.field.confirmedBy'),
                  value: (
                    <span className="flex flex-col items-end">
                      <span>{trade.confirmedBy.name}</span>
                      {trade.confirmedAt !== null && (
                        <span className="text-12 text-faint">
                          <Time at={trade.confirmedAt} />
                        </span>
                      )}
                    </span>
                  ),
                },
              ]),
        ]}
      />
      {trade.documents.length > 0 && <Documents documents={trade.documents} />}
    </Card>
  );
}

/** On the platform’s side; what was read there can be compared with its digest. */
function Documents({ documents }: Pick<TradeDetail, 'documents'>) {
  const t = useText();
  return (
    <section className="mt-5 flex flex-col gap-3 border-t border-line pt-5">
      <h3 className="m-0 text-14 font-semibold">{t('trades.documents')}</h3>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {documents.map(({ name, url, sha256 }) => (
          <li key={`${url} ${sha256}`} className="flex min-w-0 flex-col gap-1">
            <a href={url} target="_blank" rel="noreferrer noopener" className="text-accent wrap-anywhere">
              {name}
              <span className="sr-only"> ({t('trades.documents.elsewhere')})</span>
            </a>
            <span className="text-12 text-faint">
              SHA-256 <Address value={sha256} short what={t('trades.documents.digest')} />
            </span>
          </li>
        ))}
      </ul>
      <p className="m-0 text-12 text-faint">{t('trades.documents.hint')}</p>
    </section>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}
