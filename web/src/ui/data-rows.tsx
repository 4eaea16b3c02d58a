import type { Row as TableRow } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import type { TableView } from './data-table.tsx';
import type { Column, TableFeatures } from './data-table-model.ts';
import { Icon } from './icon.tsx';
import { PlainLink } from './plain-link.tsx';
import { Skeleton } from './states.tsx';

/** From here on only the rows in sight are in the page. */
const virtualFrom = 120;
const rowHeight_px = 45;

/** The table itself. */
export function DataRows<Row extends object>({ view }: { view: TableView<Row> }) {
  const { props, rows, visible } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = rows.length >= virtualFrom;
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight_px,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const shown = virtual ? items.map((item) => item.index) : [...rows.keys()];
  return (
    <div
      ref={scroller}
      className={classNames(
        'overflow-auto',
        virtual && 'max-h-[70vh]',
        props.updating && 'opacity-60 transition-opacity',
      )}
      {...(virtual && { tabIndex: 0, role: 'group', 'aria-label': props.label })}
    >
      <table
        className="w-full border-collapse text-left"
        aria-rowcount={virtual ? rows.length + 1 : undefined}
        onKeyDown={moveWithArrows}
      >
        <Head view={view} sticky={virtual} />
        <tbody>
          {before > 0 && <Spacer height={before} columns={visible.length + 1} />}
          {props.rows === undefined
            ? skeletonKeys(props.skeletonRows).map((key) => <SkeletonRow key={key} view={view} />)
            : shown.map((index) => {
                const row = rows[index];
                return row && <DataRow key={row.id} view={view} row={row} {...(virtual && { index })} />;
              })}
          {after > 0 && <Spacer height={after} columns={visible.length + 1} />}
        </tbody>
      </table>
    </div>
  );
}

/** Placeholders have no identity of their own. */
function skeletonKeys(count = 8): string[] {
  return Array.from({ length: count }, (_, index) => `skeleton-${index}`);
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr data-spacer style={{ height }}>
      <td colSpan={columns} className="p-0" />
    </tr>
  );
}

const headClass = 'h-10 bg-surface px-4 text-12 font-medium whitespace-nowrap text-faint';

function Head<Row extends object>({ view, sticky }: { view: TableView<Row>; sticky: boolean }) {
  const t = useText();
  const { props, rows, visible, sort, selectable } = view;
  const all = rows.length > 0 && rows.every((row) => row.getIsSelected());
  return (
    <thead className={classNames(sticky && 'sticky top-0 z-1')}>
      <tr className="border-b border-line">
        {selectable && (
          <th scope="col" className={`${headClass} w-10 pr-0`}>
            <input
              type="checkbox"
              aria-label={t('ui.table.selectAll')}
              checked={all}
              onChange={() => props.onSelect?.(new Set(all ? [] : rows.map((row) => row.id)))}
              className="block size-4 accent-accent"
            />
          </th>
        )}
        {visible.map((column) => {
          const order = sort?.by === column.id ? sort.order : null;
          return (
            <th
              key={column.id}
              scope="col"
              style={column.width === undefined ? undefined : { width: column.width }}
              className={classNames(headClass, column.align === 'right' && 'text-right')}
              aria-sort={order === null ? undefined : order === 'asc' ? 'ascending' : 'descending'}
            >
              {column.sort === undefined ? (
                column.header
              ) : (
                <button
                  type="button"
                  onClick={() => view.onSort(column)}
                  className={classNames(
                    '-mx-1.5 inline-flex items-center gap-1 rounded-6 px-1.5 py-1 hover:bg-hover hover:text-text',
                    order !== null && 'text-text',
                  )}
                >
                  {column.header}
                  <Icon name={order === null ? 'sort' : order === 'asc' ? 'arrowUp' : 'arrowDown'} size={12} />
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface DataRowProps<Row extends object> {
  view: TableView<Row>;
  row: TableRow<TableFeatures, Row>;
  /** Its place among all rows, when not all of them are in the page. */
  index?: number;
}

function DataRow<Row extends object>({ view, row, index }: DataRowProps<Row>) {
  const t = useText();
  const { props, visible, selectable } = view;
  const href = props.rowHref?.(row.original);
  return (
    <tr
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={selectable ? row.getIsSelected() : undefined}
      className={classNames(
        'border-b border-line last:border-b-0',
        href !== undefined && 'cursor-pointer hover:bg-hover',
        row.getIsSelected() && 'bg-accent-soft',
      )}
      onClick={href === undefined ? undefined : followRow}
    >
      {selectable && (
        <td className="h-11 w-10 pr-0 pl-4">
          <input
            type="checkbox"
            aria-label={t('ui.table.selectRow')}
            checked={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
            className="block size-4 accent-accent"
          />
        </td>
      )}
      {visible.map((column, place) => (
        <td key={column.id} className={cellClass(column)}>
          {place === 0 && href !== undefined ? (
            <PlainLink href={href} data-row-link className="text-text no-underline hover:underline">
              {column.cell(row.original)}
            </PlainLink>
          ) : (
            column.cell(row.original)
          )}
        </td>
      ))}
    </tr>
  );
}

function cellClass<Row>(column: Column<Row>): string {
  return classNames('h-11 px-4 py-2', column.align === 'right' && 'figures text-right');
}

function SkeletonRow<Row extends object>({ view }: { view: TableView<Row> }) {
  return (
    <tr className="border-b border-line last:border-b-0">
      {view.selectable && <td className="h-11 w-10" />}
      {view.visible.map((column) => (
        <td key={column.id} className={cellClass(column)}>
          <span className={classNames('flex', column.align === 'right' && 'justify-end')}>
            <Skeleton width={column.skeleton ?? 'w-24'} />
          </span>
        </td>
      ))}
    </tr>
  );
}

/** A click on a row follows its link, unless it was meant for something in it or ended a selection of text. */
function followRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest('a, button, input, select, label') !== null) return;
  if (document.getSelection()?.isCollapsed === false) return;
  event.currentTarget.querySelector<HTMLAnchorElement>('[data-row-link]')?.click();
}

/** Up and down move the focus to the same thing of the next row; Home and End to the first and last row in the page. */
function moveWithArrows(event: KeyboardEvent<HTMLTableElement>): void {
  const target = event.target as HTMLElement;
  const row = target.closest('tbody tr');
  if (row === null || target.matches('select, textarea, input:not([type="checkbox"])')) return;
  const body = row.parentElement;
  const focusable = 'a, button, input';
  const place = [...row.querySelectorAll(focusable)].indexOf(target);
  const to =
    event.key === 'ArrowDown'
      ? row.nextElementSibling
      : event.key === 'ArrowUp'
        ? row.previousElementSibling
        : event.key === 'Home'
          ? body?.querySelector('tr:not([data-spacer])')
          : event.key === 'End'
            ? [...(body?.querySelectorAll('tr:not([data-spacer])') ?? [])].at(-1)
            : null;
  const next = to && [...to.querySelectorAll<HTMLElement>(focusable)][place];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
