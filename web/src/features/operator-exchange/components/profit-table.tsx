import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Day } from '../api.ts';

/** Profit and loss by day (UTC), in its parts. */
export function ProfitTable({ days }: { days: readonly Day[] | undefined }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('ops.profit.title')}
      columns={columns}
      rows={days}
      rowId={({ day }) => day}
      skeletonRows={3}
      toolbar={
        <div className="flex flex-col gap-1">
          <h2 className="m-0 text-14 font-semibold">{t('ops.profit.title')}</h2>
          <span className="text-13 text-faint">{t('ops.profit.intro')}</span>
        </div>
      }
      empty={<EmptyState icon="exchange" title={t('ops.profit.empty')} text={t('ops.profit.emptyText')} />}
    />
  );
}

function columnsOf(t: Translate): Column<Day>[] {
  const dollars = (amount: string | null) =>
    amount === null ? (
      <span className="text-faint">{t('ops.exchange.noPrice')}</span>
    ) : (
      <Money amount={amount} signed align="right" />
    );
  return [
    {
      id: 'day',
      header: t('ops.profit.day'),
      card: 'title',
      cell: ({ day }) => <span className="figures">{day}</span>,
    },
    { id: 'spread', header: t('ops.profit.spread'), align: 'right', cell: ({ spread }) => dollars(spread) },
    { id: 'hedging', header: t('ops.profit.hedging'), align: 'right', cell: ({ hedging }) => dollars(hedging) },
    {
      id: 'revaluation',
      header: t('ops.profit.revaluation'),
      align: 'right',
      cell: ({ revaluation }) => dollars(revaluation),
    },
    { id: 'earned', header: t('ops.profit.feesEarned'), align: 'right', cell: ({ feesEarned }) => dollars(feesEarned) },
    { id: 'paid', header: t('ops.profit.feesPaid'), align: 'right', cell: ({ feesPaid }) => dollars(feesPaid) },
    { id: 'total', header: t('ops.profit.total'), align: 'right', card: 'figure', cell: ({ total }) => dollars(total) },
  ];
}
