import { lazy, Suspense, useMemo, useState } from 'react';
import type { Sort } from '../lib/list-state.ts';
import { useLocaleTag, useText } from '../lib/locale.tsx';
import { remember, remembered } from '../lib/storage.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { DataRows } from './data-rows.tsx';
import { type Column, nextSort, sortRows } from './data-table-model.ts';
import type { Chooser, DataTableProps, TableView } from './data-table-view.ts';
import { Icon } from './icon.tsx';
import { narrowScreen, useMedia } from './media.ts';
import { SkeletonCards } from './skeleton-cards.tsx';
import { EmptyState, ErrorState, Loading } from './states.tsx';

/** Only phones show cards, and only a list that has come has a foot: neither is part of the first paint's code. */
const DataCards = lazy(async () => ({ default: (await import('./data-cards.tsx')).DataCards }));
const Pager = lazy(async () => ({ default: (await import('./pager.tsx')).Pager }));

/** From here on only the rows in sight are in the page; until the code for that has come, as many as that. */
const virtualFrom = 120;
const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }));

export type { Column } from './data-table-model.ts';

/** Rows of one kind: order, pages, choice of columns, ticking, arrow keys; as cards where a table would not fit. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, draw, pager, toolbar, label, error } = props;
  const t = useText();
  const narrow = useMedia(narrowScreen);
  const [view, chooser] = useTableView(props);
  const choice = chooser.options.length > 0 && !narrow ? <ColumnChooser chooser={chooser} /> : null;
  const wrong = error !== undefined && error !== null;
  const failed = wrong && rows === undefined;
  return (
    <section
      aria-label={label}
      aria-busy={(rows === undefined && !failed) || props.updating}
      className="min-w-0 overflow-hidden rounded-10 border border-line bg-surface"
    >
      {(toolbar !== undefined || choice !== null) && (
        <div className="flex items-end gap-2 border-b border-line px-4 py-2.5">
          <div className="min-w-0 flex-1">{typeof toolbar === 'function' ? toolbar(choice) : toolbar}</div>
          {typeof toolbar !== 'function' && choice}
        </div>
      )}
      <div role="status">{wrong && rows !== undefined && <Stale onRetry={props.onRetry} />}</div>
      {failed ? (
        <ErrorState error={error} {...(props.onRetry && { onRetry: props.onRetry })} />
      ) : rows?.length === 0 ? (
        (props.empty ?? <EmptyState title={t('ui.table.empty')} />)
      ) : draw ? (
        <Loading loading={rows === undefined} skeleton={draw.skeleton}>
          <div className={classNames(props.updating && 'opacity-60 transition-opacity')}>{rows && draw.rows(rows)}</div>
        </Loading>
      ) : narrow ? (
        <Suspense fallback={<SkeletonCards count={props.skeletonRows} />}>
          <DataCards view={view as unknown as TableView<object>} columns={columns as readonly Column<object>[]} />
        </Suspense>
      ) : view.rows.length < virtualFrom ? (
        <DataRows view={view} />
      ) : (
        <Suspense fallback={<DataRows view={{ ...view, rows: view.rows.slice(0, virtualFrom) }} />}>
          <VirtualRows view={view as unknown as TableView<object>} />
        </Suspense>
      )}
      {pager && !failed && rows !== undefined && (pager.total > 0 || pager.page > 1) && (
        <Suspense fallback={<div className="h-11.25 border-t border-line" />}>
          <Pager {...pager} />
        </Suspense>
      )}
    </section>
  );
}

/** The rows are those of an earlier answer: asking again has failed. The toast about it goes away; this stays as long as it is so. */
function Stale({ onRetry }: { onRetry: (() => void) | undefined }) {
  const t = useText();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-pending-soft px-4 py-1.5 text-13">
      <Icon name="warning" className="text-pending" />
      <span className="min-w-0 flex-1">{t('ui.table.stale')}</span>
      {onRetry && (
        <Button kind="quiet" size="small" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  );
}

function useTableView<Row extends object>(props: DataTableProps<Row>): [TableView<Row>, Chooser] {
  const { columns, rows, rowId, onSort, selected, onSelect } = props;
  const tag = useLocaleTag();
  const [hidden, setHidden] = useHiddenColumns(props.name, columns);
  const [ownSort, setOwnSort] = useState<Sort | null>(null);
  const sort = onSort ? (props.sort ?? null) : ownSort;
  const sorted = useMemo(
    () => sortRows(rows ?? [], columns, onSort ? null : sort, tag),
    [rows, columns, onSort, sort, tag],
  );
  const view: TableView<Row> = {
    props,
    visible: columns.filter((column) => !hidden.includes(column.id)),
    rows: sorted,
    sort,
    onSort: (column) => (onSort ?? setOwnSort)(nextSort(sort, column)),
    selectable: onSelect !== undefined,
    isSelected: (row) => selected?.has(rowId(row)) ?? false,
    toggle: (row) => {
      const next = new Set(selected);
      if (!next.delete(rowId(row))) next.add(rowId(row));
      onSelect?.(next);
    },
  };
  const options = columns
    .filter((column, index) => index > 0 && column.hideable)
    .map((column) => ({ key: column.id, label: column.header, checked: !hidden.includes(column.id) }));
  const onChange = (key: string, checked: boolean) =>
    setHidden(checked ? hidden.filter((id) => id !== key) : [...hidden, key]);
  return [view, { options, onChange }];
}

/** Which columns are hidden, remembered in this browser under the table's name. */
function useHiddenColumns<Row>(name: string | undefined, columns: readonly Column<Row>[]) {
  const key = name === undefined ? null : `columns:${name}`;
  const [hidden, setHidden] = useState<readonly string[]>(() => {
    const stored = key === null ? null : remembered(key);
    if (stored !== null) return stored.split(',').filter((id) => columns.some((column) => column.id === id));
    return columns.filter((column) => column.hiddenAtFirst).map((column) => column.id);
  });
  const change = (next: readonly string[]) => {
    setHidden(next);
    if (key !== null) remember(key, next.join(','));
  };
  return [hidden, change] as const;
}
