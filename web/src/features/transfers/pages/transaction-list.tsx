import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { reportError } from '../../../lib/report-error.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { instantsOf } from '../../../ui/days.ts';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { downloadList, type TransactionQuery, useTransactions } from '../api.ts';
import { transactionColumns } from '../components/transaction-columns.tsx';
import { useTransactionFilters } from '../components/transaction-filters.ts';
import { advancedNames, amountIgnored, type FilterName, filterNames, queryOf } from '../list-query.ts';

/** Every transaction of the company, filtered, sorted, paged; details open beside it (specification, section 2). */
export function Page() {
  const t = useText();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const transactions = useTransactions(pageOf(list));
  const columns = useMemo(() => transactionColumns(t), [t]);
  return (
    <Frame>
      <DataTable
        label={t('transfers.list')}
        name="transactions"
        columns={columns}
        {...tableOf(transactions, list)}
        rowId={(row) => row.id}
        rowHref={(row) => `/app/transaction/${row.id}${search}`}
        sort={list.sort ?? { by: 'time', order: 'desc' }}
        onSort={list.setSort}
        skeletonRows={10}
        toolbar={<Filters list={list} />}
        empty={<NoTransactions filtered={list.active > 0} onClear={list.clear} />}
      />
      <Outlet />
    </Frame>
  );
}

function Filters({ list }: { list: ListState<FilterName> }) {
  const t = useText();
  const advancedActive = advancedNames.some((name) => list.filters[name] !== undefined);
  const [wanted, setWanted] = useState(false);
  const open = wanted || advancedActive;
  const filters = useTransactionFilters(open);
  const mayExport = usePermission('transaction.export');
  return (
    <>
      <FilterBar
        filters={filters}
        state={list}
        actions={
          <>
            <Button icon="filter" aria-expanded={open} disabled={advancedActive} onClick={() => setWanted(!wanted)}>
              {t(open ? 'transfers.filter.less' : 'transfers.filter.more')}
            </Button>
            {mayExport && <ExportButton list={list} />}
          </>
        }
      />
      {amountIgnored(list.filters) && (
        <p role="status" className="m-0 text-13 text-negative">
          {t('transfers.filter.amountIgnored')}
        </p>
      )}
    </>
  );
}

/** The list as it is filtered and sorted, all of its pages, as CSV. */
function ExportButton({ list }: { list: ListState<FilterName> }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    await downloadList({ ...queryOf(list.filters, instantsOf), ...sortOf(list) }).catch(reportError);
    setBusy(false);
  };
  return (
    <Button icon="download" busy={busy} onClick={() => void start()}>
      {t('transfers.export')}
    </Button>
  );
}

function NoTransactions({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText();
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('transfers.list.noMatch')}
        text={t('transfers.list.noMatchText')}
        action={<Button onClick={onClear}>{t('transfers.list.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      title={t('transfers.list.empty')}
      text={t('transfers.list.emptyText')}
      action={
        <Link to="/app/wallet/recharge" className={buttonClass('secondary')}>
          {t('app.title.recharge')}
        </Link>
      }
    />
  );
}

function sortOf({ sort }: ListState<FilterName>): Pick<TransactionQuery, 'sort' | 'order'> {
  if (sort === null || (sort.by !== 'time' && sort.by !== 'amount')) return {};
  return { sort: sort.by, order: sort.order };
}

function pageOf(list: ListState<FilterName>): TransactionQuery {
  return {
    ...queryOf(list.filters, instantsOf),
    ...sortOf(list),
    size: `${list.size}` as NonNullable<TransactionQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}
