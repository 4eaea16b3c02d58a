import type { Transaction } from '@causeway/contract/transfers.ts';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRecentTransactions } from '../api.ts';
import { counterparty, toneOf, waitingFor } from '../transaction-words.ts';

const shown = 6;

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
        <Loading loading={rows === undefined} skeleton={<Shape />}>
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

export function AllLink({ to, label }: { to: string; label: string }) {
  return (
    <PlainLink href={to} className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline">
      {label}
    </PlainLink>
  );
}

function TransactionRow({ row }: { row: Transaction }) {
  const t = useText();
  const other = counterparty(row);
  const waiting = waitingFor(row, t);
  return (
    <li className="border-b border-line last:border-b-0">
      <PlainLink
        href={`/app/transaction/${row.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{t(`home.type.${row.type}`)}</span>
          <span className="flex min-w-0 flex-wrap gap-x-2 text-12 text-faint">
            {other !== null && <span className="max-w-full truncate text-muted">{other}</span>}
            <Time at={row.createdAt} />
          </span>
        </span>
        <span className="flex flex-col items-end gap-0.5">
          <Money
            amount={row.direction === 'out' ? `-${row.quantity}` : row.quantity}
            coin={row.coin}
            signed
            align="right"
          />
          <span className="text-12">
            <StatusDot tone={toneOf(row.status)}>
              {t(`home.status.${row.status}`)}
              {waiting !== null && <span className="text-faint"> · {waiting}</span>}
            </StatusDot>
          </span>
        </span>
      </PlainLink>
    </li>
  );
}

function Shape() {
  return (
    <div>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex justify-between gap-4 border-b border-line px-5 py-3 last:border-b-0">
          <div className="flex flex-col gap-2">
            <Skeleton width="w-40" />
            <Skeleton width="w-28" height="h-3" />
          </div>
          <div className="flex flex-col items-end gap-2">
            <Skeleton width="w-24" />
            <Skeleton width="w-16" height="h-3" />
          </div>
        </div>
      ))}
    </div>
  );
}
