import type { ArrivingDeposit } from '@causeway/contract/recharges.ts';
import type { BankWallet } from '@causeway/contract/wallets-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { isZero } from '../amounts.ts';
import { useArriving } from '../recharge-api.ts';
import { ArrivingStatusWord } from './arriving-status.tsx';

/** Deposits into a wallet at a bank that the bank has seen and not booked yet, each with what it waits for; kept up to date. */
export function Arriving({ wallet }: { wallet: BankWallet }) {
  const t = useText();
  // The page beneath the panel keeps what was chosen.
  const { searchStr } = useLocation();
  const arriving = useArriving(wallet.id);
  const columns = useMemo(() => arrivingColumns(t), [t]);
  // A bank that sends files says nothing before it has booked a payment: a table would always be empty.
  if (arriving.data?.reported === false) {
    return (
      <section className="flex flex-col gap-1">
        <h2 className="m-0 text-14 font-semibold">{t('recharge.fiat.arriving.title')}</h2>
        <p className="m-0 max-w-160 text-13 text-muted">
          {t('recharge.fiat.arriving.notReported', { bank: wallet.place.name })}
        </p>
      </section>
    );
  }
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="m-0 text-14 font-semibold">{t('recharge.fiat.arriving.title')}</h2>
        {!isZero(wallet.inbound) && (
          <span className="figures text-13 text-muted">
            {t('recharge.fiat.arriving.sum', { amount: amountLine(wallet.inbound, wallet.asset) })}
          </span>
        )}
      </div>
      <DataTable
        label={t('recharge.fiat.arriving.title')}
        columns={columns}
        rows={arriving.data?.items}
        rowId={(row) => row.id}
        rowHref={(row) => `/app/wallet/recharge/arriving/${row.walletId}/${encodeURIComponent(row.id)}${searchStr}`}
        error={arriving.error}
        onRetry={() => void arriving.refetch()}
        skeletonRows={2}
        empty={
          <EmptyState
            icon="collect"
            title={t('recharge.fiat.arriving.empty')}
            text={t('recharge.fiat.arriving.emptyText', { bank: wallet.place.name })}
          />
        }
      />
    </section>
  );
}

function arrivingColumns(t: Translate): Column<ArrivingDeposit>[] {
  return [
    {
      id: 'time',
      header: t('recharge.fiat.arriving.since'),
      skeleton: 'w-36',
      cell: (row) => <Time at={row.begunAt} />,
    },
    {
      id: 'status',
      header: t('wallets.deposits.status'),
      card: 'title',
      skeleton: 'w-32',
      cell: (row) => <ArrivingStatusWord deposit={row} />,
    },
    {
      id: 'payer',
      header: t('wallets.deposits.from'),
      skeleton: 'w-32',
      cell: ({ payer, reference }) => (
        <span className="inline-flex max-w-full flex-col">
          <span className="max-w-64 truncate">{payer ?? t('recharge.fiat.arriving.noPayer')}</span>
          {reference !== null && <span className="max-w-64 truncate text-12 text-faint">{reference}</span>}
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('wallets.column.quantity'),
      align: 'right',
      card: 'figure',
      // What was rejected does not come in.
      cell: (row) => <Money amount={row.amount} coin={row.asset} signed={row.status !== 'rejected'} align="right" />,
    },
  ];
}
