import type { RechargeNotice } from '@causeway/contract/recharges.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useNotices } from '../recharge-api.ts';
import { NoticeStatus } from './notice-status.tsx';

/** The announced payments into a wallet at a bank, the newest first. */
export function Notices({ wallet }: { wallet: Wallet }) {
  const t = useText();
  // The page beneath the panel keeps what was chosen.
  const { searchStr } = useLocation();
  const notices = useNotices(wallet.id);
  const columns = useMemo(() => noticeColumns(t), [t]);
  return (
    <section className="flex flex-col gap-3">
      <h2 className="m-0 text-14 font-semibold">{t('recharge.fiat.notices')}</h2>
      <DataTable
        label={t('recharge.fiat.notices')}
        columns={columns}
        rows={notices.data?.items}
        rowId={(row) => row.id}
        rowHref={(row) => `/app/wallet/recharge/notice/${row.id}${searchStr}`}
        error={notices.error}
        onRetry={() => void notices.refetch()}
        skeletonRows={2}
        empty={
          <EmptyState
            icon="collect"
            title={t('recharge.fiat.notices.empty')}
            text={t('recharge.fiat.notices.emptyText')}
          />
        }
      />
    </section>
  );
}

export function noticeColumns(t: Translate): Column<RechargeNotice>[] {
  return [
    { id: 'paidAt', header: t('recharge.fiat.paidAt'), skeleton: 'w-36', cell: (row) => <Time at={row.paidAt} /> },
    {
      id: 'status',
      header: t('wallets.deposits.status'),
      card: 'title',
      skeleton: 'w-32',
      cell: (row) => <NoticeStatus notice={row} />,
    },
    { id: 'sender', header: t('recharge.fiat.sender'), skeleton: 'w-24', cell: (row) => row.sender },
    {
      id: 'amount',
      header: t('recharge.fiat.amount'),
      align: 'right',
      card: 'figure',
      cell: (row) => <Money amount={row.amount} coin={row.asset} align="right" />,
    },
  ];
}
