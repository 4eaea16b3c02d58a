import type { Output } from '@causeway/contract/call.ts';
import type { getCompanyActivity } from '@causeway/contract/operator-companies.ts';
import { activityDays } from '@causeway/contract/operator-companies-rules.ts';
import { useMemo } from 'react';
import { lastDays } from '../../../lib/days.ts';
import { useListState } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { type CompanyFile, useActivity } from '../api.ts';
import { daysOfMonth, paymentsOf } from '../rules.ts';

type Activity = Output<typeof getCompanyActivity>;
type Asset = Activity['assets'][number];
type Month = CompanyFile['volume'][number];
type Days = (typeof activityDays)[number];

const names = ['days'] as const;

/** What the company moved and was charged, by asset over a period and month by month. */
export function ActivitySection({ company }: { company: CompanyFile }) {
  const t = useText();
  const { filters, setFilters } = useListState(names);
  const days = activityDays.find((one) => one === filters.days) ?? '30';
  const { data, error, refetch } = useActivity(company.id, days);
  const assets = useMemo(() => assetColumns(t), [t]);
  const months = useMemo(() => monthColumns(t), [t]);
  return (
    <div className="flex flex-col gap-6">
      <div className="max-w-56">
        <SelectField<Days>
          label={t('ops.companies.period')}
          options={activityDays.map((value) => ({ value, label: t('ops.companies.days', { days: value }) }))}
          value={days}
          onChange={(next) => setFilters({ days: next === '30' ? null : next })}
        />
      </div>
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Totals total={data?.total ?? null} href={paymentsOf(company.id, lastDays(Number(days)))} />
          <DataTable
            label={t('ops.companies.byAsset')}
            columns={assets}
            rows={data?.assets}
            rowId={({ asset }) => asset}
            rowHref={({ asset }) => paymentsOf(company.id, lastDays(Number(days)), asset)}
            skeletonRows={3}
            empty={<EmptyState icon="exchange" title={t('ops.companies.activityEmpty')} />}
          />
        </>
      )}
      <DataTable
        label={t('ops.companies.byMonth')}
        columns={months}
        rows={company.volume}
        rowId={({ month }) => month}
        rowHref={({ month }) => paymentsOf(company.id, daysOfMonth(month))}
        empty={<EmptyState icon="calendar" title={t('ops.companies.activityEmpty')} />}
      />
      <Card title={t('ops.companies.uncollected')}>
        {company.fees.length === 0 ? (
          <p className="m-0 text-13 text-faint">{t('ops.companies.uncollectedEmpty')}</p>
        ) : (
          <DescriptionList
            facts={company.fees.map(({ asset, quantity }) => ({
              term: asset,
              value: <Money amount={quantity} coin={asset} align="right" />,
            }))}
          />
        )}
      </Card>
    </div>
  );
}

function Totals({ total, href }: { total: Activity['total'] | null; href: string }) {
  const t = useText();
  const usd = (of: 'inUsd' | 'outUsd' | 'feeUsd') => total && <Money amount={total[of]} coin="USD" size="large" />;
  return (
    <Card
      title={t('ops.companies.totals')}
      aside={
        <PlainLink href={href} className="text-13 font-medium text-accent">
          {t('ops.companies.viewTransactions')}
        </PlainLink>
      }
    >
      <div className="grid grid-cols-2 gap-5 lg:grid-cols-4">
        <Stat label={t('ops.companies.field.in')} value={usd('inUsd')} />
        <Stat label={t('ops.companies.field.out')} value={usd('outUsd')} />
        <Stat label={t('ops.companies.field.fees')} value={usd('feeUsd')} />
        <Stat label={t('ops.companies.field.count')} value={total?.count ?? null} />
      </div>
      {total !== null && total.unvalued > 0 && (
        <p className="m-0 mt-4 text-13 text-pending">{t('ops.companies.unvalued', { count: total.unvalued })}</p>
      )}
    </Card>
  );
}

function assetColumns(t: Translate): Column<Asset>[] {
  const money = (id: 'in' | 'out' | 'fee', header: string, usd: (row: Asset) => string): Column<Asset> => ({
    id,
    header,
    align: 'right',
    cell: (row) => (
      <Money amount={row[id]} coin={row.asset} atMost={8} align="right" fiat={{ amount: usd(row), coin: 'USD' }} />
    ),
  });
  return [
    {
      id: 'asset',
      header: t('ops.companies.field.asset'),
      card: 'title',
      cell: ({ asset }) => <span className="font-medium">{asset}</span>,
    },
    money('in', t('ops.companies.field.in'), ({ inUsd }) => inUsd),
    money('out', t('ops.companies.field.out'), ({ outUsd }) => outUsd),
    money('fee', t('ops.companies.field.fees'), ({ feeUsd }) => feeUsd),
    { id: 'count', header: t('ops.companies.field.count'), align: 'right', cell: ({ count }) => count },
  ];
}

function monthColumns(t: Translate): Column<Month>[] {
  const money = (id: 'in' | 'out'): Column<Month> => ({
    id,
    header: t(`ops.companies.field.${id}`),
    align: 'right',
    cell: (row) => <Money amount={row[id]} coin="USD" align="right" />,
  });
  return [
    {
      id: 'month',
      header: t('ops.companies.field.month'),
      card: 'title',
      cell: ({ month }) => <span className="figures font-medium">{month}</span>,
    },
    money('in'),
    money('out'),
    { id: 'count', header: t('ops.companies.field.count'), align: 'right', cell: ({ count }) => count },
  ];
}
