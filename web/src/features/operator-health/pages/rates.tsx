import type { MarketRates } from '@causeway/contract/operator-health.ts';
import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRates } from '../api.ts';

type Rate = MarketRates['items'][number];

/** The market rates by which amounts are valued: where each comes from, how old it is, and how old it may be. */
export function Page() {
  const t = useText();
  const { relative } = useFormats();
  const read = useRates();
  const columns = useMemo(() => columnsOf(t, relative), [t, relative]);
  const { data } = read;
  return (
    <Frame intro={data && t('ops.rates.intro', { minutes: Math.floor(data.limitSeconds / 60) })}>
      <DataTable
        label={t('ops.title.rates')}
        columns={columns}
        rows={data?.items}
        rowId={({ asset }) => asset}
        error={data === undefined ? read.error : null}
        onRetry={() => void read.refetch()}
        skeletonRows={6}
        empty={<EmptyState icon="exchange" title={t('ops.rates.empty')} text={t('ops.rates.emptyText')} />}
      />
    </Frame>
  );
}

function columnsOf(t: Translate, relative: (at: string) => string): Column<Rate>[] {
  const none = <span className="text-faint">–</span>;
  return [
    { id: 'asset', header: t('ops.rates.asset'), card: 'title', cell: ({ asset }) => asset },
    {
      id: 'usd',
      header: t('ops.rates.rate'),
      align: 'right',
      card: 'figure',
      cell: ({ usd }) => (usd === null ? none : <span className="figures">{amountLine(usd)}</span>),
    },
    { id: 'source', header: t('ops.rates.source'), cell: ({ source }) => source ?? none },
    {
      id: 'updatedAt',
      header: t('ops.rates.updatedAt'),
      cell: ({ updatedAt }) => (updatedAt === null ? none : <Time at={updatedAt} />),
    },
    {
      id: 'age',
      header: t('ops.rates.age'),
      cell: ({ updatedAt }) => (updatedAt === null ? none : relative(updatedAt)),
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      cell: ({ stale, usd }) => (
        <StatusDot tone={stale ? 'negative' : 'positive'}>
          {t(usd === null ? 'ops.rates.missing' : stale ? 'ops.rates.stale' : 'ops.rates.fresh')}
        </StatusDot>
      ),
    },
  ];
}
