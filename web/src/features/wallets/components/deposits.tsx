import type { Stage, Transaction } from '@causeway/contract/transactions.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { depositType, useDeposits } from '../deposits-api.ts';

/** What comes into one wallet, the newest first, kept up to date as they arrive. */
export function Deposits({ wallet }: { wallet: Wallet | undefined }) {
  const t = useText();
  const deposits = useDeposits(wallet);
  const columns = useMemo(() => depositColumns(t), [t]);
  const rows = wallet === undefined ? [] : deposits.data?.items;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="m-0 text-14 font-semibold">{t('wallets.deposits')}</h2>
        {wallet !== undefined && (deposits.data?.items.length ?? 0) > 0 ? (
          <PlainLink
            href={`/app/transaction?type=${depositType(wallet)}&walletId=${wallet.id}`}
            className="text-13 text-accent"
          >
            {t('wallets.deposits.all')}
          </PlainLink>
        ) : (
          <span className="text-13 text-faint">
            {t(wallet?.place.kind === 'bank' ? 'recharge.fiat.deposits.live' : 'wallets.deposits.live')}
          </span>
        )}
      </div>
      <DataTable
        label={t('wallets.deposits')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowHref={(row) => `/app/transaction/${row.id}`}
        error={deposits.error}
        onRetry={() => void deposits.refetch()}
        skeletonRows={3}
        empty={
          wallet === undefined ? (
            <EmptyState icon="collect" title={t('wallets.deposits.chooseFirst')} />
          ) : (
            <EmptyState
              icon="collect"
              title={t('wallets.deposits.empty')}
              text={t(wallet.place.kind === 'bank' ? 'recharge.fiat.deposits.emptyText' : 'wallets.deposits.emptyText')}
            />
          )
        }
      />
    </section>
  );
}

function depositColumns(t: Translate): Column<Transaction>[] {
  return [
    {
      id: 'time',
      header: t('wallets.deposits.time'),
      skeleton: 'w-36',
      cell: (row) => <Time at={row.createdAt} />,
    },
    {
      id: 'status',
      header: t('wallets.deposits.status'),
      card: 'title',
      skeleton: 'w-32',
      cell: (row) => <DepositStatus row={row} t={t} />,
    },
    {
      id: 'from',
      header: t('wallets.deposits.from'),
      skeleton: 'w-32',
      cell: ({ chain, payer }) =>
        chain === null ? (
          (payer.name ?? payer.account ?? '–')
        ) : payer.account === null ? (
          '–'
        ) : (
          <Address value={payer.account} short copyable={false} />
        ),
    },
    {
      id: 'amount',
      header: t('wallets.column.quantity'),
      align: 'right',
      card: 'figure',
      cell: (row) => <Money amount={row.quantity} coin={row.coin} signed atMost={8} align="right" />,
    },
  ];
}

const words: Partial<Record<Stage, { text: string; tone: Tone }>> = {
  credited: { text: 'wallets.deposit.credited', tone: 'positive' },
  completed: { text: 'wallets.deposit.credited', tone: 'positive' },
  orphaned: { text: 'wallets.deposit.orphaned', tone: 'negative' },
  reversed: { text: 'wallets.deposit.reversed', tone: 'negative' },
};

function DepositStatus({ row, t }: { row: Transaction; t: Translate }) {
  const word = words[row.stage];
  if (word !== undefined) return <StatusDot tone={word.tone}>{t(word.text)}</StatusDot>;
  const counted = row.confirmations !== null && row.confirmationsNeeded !== null;
  return (
    <StatusDot tone="progress">
      {counted
        ? t('wallets.deposit.confirming', { have: row.confirmations ?? 0, need: row.confirmationsNeeded ?? 0 })
        : t(row.hash === null ? 'wallets.deposit.seen' : 'wallets.deposit.waitingBlock')}
    </StatusDot>
  );
}
