import type { LedgerPosting } from '@causeway/contract/operator-transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { sayAccount, sayPosting } from '../words.ts';
import { PlainTable } from './plain-table.tsx';

/** The postings of a transaction with their entries, each with its sum, which is zero. */
export function Journal({ postings }: { postings: readonly LedgerPosting[] }) {
  const t = useText();
  if (postings.length === 0) return <p className="m-0 text-13 text-muted">{t('ops.journal.none')}</p>;
  return (
    <ol className="m-0 flex list-none flex-col gap-6 p-0">
      {postings.map((posting) => (
        <li key={posting.id} className="flex flex-col gap-2">
          <Posting posting={posting} />
        </li>
      ))}
    </ol>
  );
}

function Posting({ posting: { kind, at, entries, sums, correctsId } }: { posting: LedgerPosting }) {
  const t = useText();
  const title = sayPosting(kind, t);
  return (
    <>
      <h3 className="m-0 flex flex-wrap items-baseline justify-between gap-x-4 text-14 font-medium">
        <span>
          {title}
          {correctsId !== null && (
            <span className="ml-2 text-12 font-normal text-faint">{t('ops.journal.corrects')}</span>
          )}
        </span>
        <span className="text-12 font-normal text-faint">
          <Time at={at} />
        </span>
      </h3>
      <PlainTable
        caption={title}
        rows={entries}
        rowId={({ accountId }) => accountId}
        columns={[
          { key: 'account', header: t('ops.journal.account'), cell: ({ account }) => sayAccount(account, t) },
          {
            key: 'amount',
            header: t('ops.journal.amount'),
            right: true,
            cell: ({ amount, asset }) => <Money amount={amount} coin={asset} signed align="right" />,
          },
          {
            key: 'balance',
            header: t('ops.journal.balance'),
            right: true,
            cell: ({ balanceAfter, asset }) => <Money amount={balanceAfter} coin={asset} align="right" />,
          },
        ]}
        foot={
          <tfoot>
            {sums.map(({ asset, sum }) => (
              <tr key={asset} className="border-t border-line bg-sunken">
                <th scope="row" className="px-3 py-2 font-medium">
                  {t('ops.journal.sum')}
                </th>
                <td className="figures px-3 py-2 text-right font-medium">
                  <Money amount={sum} coin={asset} align="right" />
                </td>
                <td />
              </tr>
            ))}
          </tfoot>
        }
      />
    </>
  );
}
