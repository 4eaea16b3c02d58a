import type { Transaction } from '@causeway/contract/transactions.ts';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { counterparty, signedQuantity, TransactionStatusWord, typeTexts } from '../../transactions/index.ts';
import { useRecentTransactions } from '../api.ts';
import { AllLink, RowShapes } from './list-card.tsx';

const shown = 6;
/** More decimals than these would push the name away; all of them are there on hover and on the transaction's page. */
const listDecimals = 8;

/** The newest transactions; each leads to its own page. */
export function RecentTransactions() {
  const t = useText();
  const recent = useRecentTransactions();
  const rows = recent.data?.items.slice(0, shown);
  return (
    <Card title={t('home.recent')} aside={<AllLink to="/app/transaction" label={t('home.recent.all')} />} flush>
      {recent.error !== null && rows === undefined ? (
        <ErrorState error={recent.error} onRetry={() => void recent.refetch()} />
      ) : (
        <Loading loading={rows === undefined} skeleton={<RowShapes />}>
          {rows?.length === 0 ? (
            <EmptyState
              title={t('home.recent.empty')}
              text={t('home.recent.emptyText')}
              action={
                <Link to="/app/wallet/recharge" className={buttonClass('secondary')}>
                  {t('home.recharge')}
                </Link>
              }
            />
          ) : (
            <ul className="m-0 list-none p-0">
              {rows?.map((row) => (
                <TransactionRow key={row.id} row={row} />
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Card>
  );
}

function TransactionRow({ row }: { row: Transaction }) {
  const t = useText();
  const { name, account } = counterparty(row);
  return (
    <li className="border-b border-line last:border-b-0">
      <PlainLink
        href={`/app/transaction/${row.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{t(typeTexts[row.type])}</span>
          <span className="flex min-w-0 flex-wrap gap-x-2 text-12 text-faint">
            {(name || account) && <span className="max-w-full truncate text-muted">{name || shortened(account)}</span>}
            <Time at={row.createdAt} />
          </span>
        </span>
        <span className="flex flex-col items-end gap-0.5">
          <Money amount={signedQuantity(row)} coin={row.coin} signed atMost={listDecimals} align="right" />
          <span className="text-12">
            <TransactionStatusWord row={row} />
          </span>
        </span>
      </PlainLink>
    </li>
  );
}

/** The two ends by which an account is known; all of it is on the transaction's page. */
function shortened(account: string | null): string {
  return account !== null && account.length > 18 ? `${account.slice(0, 8)}…${account.slice(-6)}` : (account ?? '');
}
