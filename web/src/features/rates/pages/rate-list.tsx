import type { RatePair } from '@causeway/contract/rates.ts';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useHeldAssets, useRates } from '../api.ts';
import { Favourite } from '../components/favourite.tsx';
import { Change, RateState } from '../components/rate-state.tsx';
import { useFavourites } from '../favourites.ts';
import { pairKey, shownPairs } from '../order.ts';

const filterNames = ['keyword', 'asset', 'only'] as const;
type FilterName = (typeof filterNames)[number];

/** The middle rates between the assets that the company has wallets of (decisions, "Rates"). */
export function Page() {
  const t = useText();
  const tag = useLocaleTag();
  const rates = useRates();
  const held = useHeldAssets();
  const [favourites, toggle] = useFavourites();
  const state = useListState(filterNames);
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const pairs = rates.data?.pairs;
  const { keyword = '', asset = null, only } = state.filters;
  const shown = useMemo(() => {
    if (pairs === undefined || held === undefined) return undefined;
    const names = new Intl.DisplayNames(tag, { type: 'currency' });
    const nameOf = (code: string) => (code.length === 3 ? (names.of(code) ?? code) : code);
    return shownPairs(pairs, { held, favourites, onlyFavourites: only === 'favourites', keyword, asset, nameOf });
  }, [pairs, held, favourites, only, keyword, asset, tag]);
  // A link may name a page that the pairs do not reach.
  const page = Math.min(state.page, Math.max(1, Math.ceil((shown?.length ?? 0) / state.size)));
  const from = (page - 1) * state.size;
  const rows = shown?.slice(from, from + state.size);
  const columns = columnsOf(t, favourites, toggle);
  return (
    <Frame intro={t('rates.intro')}>
      <DataTable
        label={t('app.title.rates')}
        name="rates"
        columns={columns}
        rows={rows}
        rowId={(pair) => `${pair.sell}-${pair.buy}`}
        rowHref={(pair) => `/app/wallet/rates/${pair.sell}-${pair.buy}${search}`}
        error={pairs === undefined ? rates.error : null}
        onRetry={() => void rates.refetch()}
        skeletonRows={state.size}
        toolbar={<FilterBar filters={filtersOf(t, pairs)} state={state} />}
        empty={<Nothing active={state.active} onClear={state.clear} />}
        {...(shown &&
          rows && {
            pager: {
              ...{ page, size: state.size, total: shown.length, shown: rows.length },
              hasNext: from + rows.length < shown.length,
              onPrevious: state.previous,
              onNext: () => state.next(String(from + state.size)),
              onSize: state.setSize,
            },
          })}
      />
      <Outlet />
    </Frame>
  );
}

/** No pair at all, or none that the filters let through. */
function Nothing({ active, onClear }: { active: number; onClear: () => void }) {
  const t = useText();
  if (active === 0) return <EmptyState icon="exchange" title={t('rates.empty')} text={t('rates.emptyText')} />;
  const action = <Button onClick={onClear}>{t('rates.showAll')}</Button>;
  return <EmptyState icon="search" title={t('rates.noneFound')} text={t('rates.noneFoundText')} action={action} />;
}

function filtersOf(t: Translate, pairs: readonly RatePair[] | undefined): Filter<FilterName>[] {
  const assets = [...new Set(pairs?.map(({ sell }) => sell))].map((asset) => ({ value: asset, label: asset }));
  const favourites = [{ value: 'favourites', label: t('rates.favourites') }];
  return [
    { kind: 'search', name: 'keyword', label: t('rates.search') },
    { kind: 'choice', name: 'asset', label: t('rates.of'), any: t('rates.allAssets'), useOptions: () => assets },
    { kind: 'choice', name: 'only', label: t('rates.show'), any: t('rates.allPairs'), useOptions: () => favourites },
  ];
}

function columnsOf(t: Translate, favourites: ReadonlySet<string>, toggle: (key: string) => void): Column<RatePair>[] {
  const none = <span className="text-faint">–</span>;
  return [
    {
      id: 'pair',
      header: t('rates.column.pair'),
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
      card: 'none',
      cell: ({ inverse, sell }) =>
        inverse === null ? none : <span className="figures">{amountLine(inverse, sell)}</span>,
    },
    {
      id: 'change',
      header: t('rates.column.change'),
      align: 'right',
      card: 'status',
      cell: ({ changePercent }) => <Change percent={changePercent} />,
    },
    {
      id: 'at',
      header: t('rates.column.at'),
      card: 'meta',
      cell: ({ at }) => (at === null ? none : <Time at={at} />),
    },
    {
      id: 'state',
      header: t('rates.column.state'),
      card: 'meta',
      cell: ({ problem }) => <RateState problem={problem} />,
    },
    {
      id: 'favourite',
      header: t('rates.column.favourite'),
      width: '104px',
      card: 'meta',
      cell: (pair) => (
        <Favourite
          pair={`${pair.sell} / ${pair.buy}`}
          on={favourites.has(pairKey(pair))}
          onToggle={() => toggle(pairKey(pair))}
        />
      ),
    },
  ];
}
