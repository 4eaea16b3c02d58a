import type { RatePair } from '@causeway/contract/rates.ts';
import { Outlet } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRates } from '../api.ts';
import { Change, RateState } from '../components/rate-state.tsx';

const all = 'all';

/** The middle rates of all pairs of assets that the company has wallets of (decisions, "Rates"). */
export function Page() {
  const t = useText();
  const rates = useRates();
  const [sell, setSell] = useState(all);
  const pairs = rates.data?.pairs;
  const columns = useMemo(() => columnsOf(t), [t]);
  const assets = [...new Set(pairs?.map((pair) => pair.sell))];
  const options = [
    { value: all, label: t('rates.allAssets') },
    ...assets.map((asset) => ({ value: asset, label: asset })),
  ];
  return (
    <Frame intro={t('rates.intro')}>
      <DataTable
        label={t('app.title.rates')}
        name="rates"
        columns={columns}
        rows={sell === all ? pairs : pairs?.filter((pair) => pair.sell === sell)}
        rowId={(pair) => `${pair.sell}-${pair.buy}`}
        rowHref={(pair) => `/app/wallet/rates/${pair.sell}-${pair.buy}`}
        error={pairs === undefined ? rates.error : null}
        onRetry={() => void rates.refetch()}
        skeletonRows={6}
        toolbar={
          <div className="w-48">
            <SelectField label={t('rates.of')} options={options} value={sell} onChange={setSell} />
          </div>
        }
        empty={<EmptyState icon="exchange" title={t('rates.empty')} text={t('rates.emptyText')} />}
      />
      <Outlet />
    </Frame>
  );
}

function columnsOf(t: Translate): Column<RatePair>[] {
  const none = <span className="text-faint">–</span>;
  return [
    {
      id: 'pair',
      header: t('rates.column.pair'),
      sort: ({ sell, buy }) => `${sell} ${buy}`,
      card: 'title',
      cell: ({ sell, buy }) => (
        <span className="font-medium">
          {sell} / {buy}
        </span>
      ),
    },
    {
      id: 'rate',
      header: t('rates.column.rate'),
      align: 'right',
      card: 'figure',
      cell: ({ rate, buy }) => (rate === null ? none : <span className="figures">{amountLine(rate, buy)}</span>),
    },
    {
      id: 'inverse',
      header: t('rates.column.inverse'),
      align: 'right',
      cell: ({ inverse, sell }) =>
        inverse === null ? none : <span className="figures">{amountLine(inverse, sell)}</span>,
    },
    {
      id: 'change',
      header: t('rates.column.change'),
      align: 'right',
      cell: ({ changePercent }) => <Change percent={changePercent} />,
    },
    { id: 'at', header: t('rates.column.at'), cell: ({ at }) => (at === null ? none : <Time at={at} />) },
    { id: 'state', header: t('rates.column.state'), cell: ({ problem }) => <RateState problem={problem} /> },
  ];
}
