import type { KeyboardEvent, MouseEvent, Ref } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import type { Column } from './data-table-model.ts';
import type { TableView } from './data-table-view.ts';
import { Icon } from './icon.tsx';
import { PlainLink } from './plain-link.tsx';
import { Skeleton } from './states.tsx';

/** The rows in sight of a list too long to be in the page as a whole; heights in pixels. */
export interface Window {
  scroller: Ref<HTMLDivElement>;
  /** Places of the rows that are drawn. */
  shown: readonly number[];
  before_px: number;
  after_px: number;
}

/** The table itself: all rows, or those of a window. */
export function DataRows<Row extends object>({ view, window }: { view: TableView<Row>; window?: Window }) {
  const { props, rows, visible } = view;
  const columns = visible.length + Number(view.selectable);
  return (
    <div
      ref={window?.scroller}
      className={classNames(
        'overflow-auto',
        window && 'max-h-[70vh]',
        props.updating && 'opacity-60 transition-opacity',
      )}
      {...(window && { tabIndex: 0, role: 'group', 'aria-label': props.label })}
    >
      <table
        className="w-full border-collapse text-left"
        aria-rowcount={window ? rows.length + 1 : undefined}
        onKeyDown={moveWithArrows}
      >
        <Head view={view} sticky={window !== undefined} />
        <tbody>
          {window && window.before_px > 0 && <Spacer height={window.before_px} columns={columns} />}
          {props.rows === undefined
            ? skeletonKeys(props.skeletonRows).map((key) => <SkeletonRow key={key} view={view} />)
            : (window?.shown ?? [...rows.keys()]).map((index) => {
                const row = rows[index];
                return row && <DataRow key={props.rowId(row)} view={view} row={row} {...(window && { index })} />;
              })}
          {window && window.after_px > 0 && <Spacer height={window.after_px} columns={columns} />}
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

const headClass = 'h-10 bg-surface px-3 first:pl-4 last:pr-4 text-12 font-medium whitespace-nowrap text-faint';

function Head<Row extends object>({ view, sticky }: { view: TableView<Row>; sticky: boolean }) {
  const t = useText();
  const { props, rows, visible, sort, selectable } = view;
  const all = rows.length > 0 && rows.every(view.isSelected);
  return (
    <thead className={classNames(sticky && 'sticky top-0 z-1')}>
      <tr className="border-b border-line">
        {selectable && (
          <th scope="col" className={`${headClass} w-10 pr-0`}>
            <input
              type="checkbox"
              aria-label={t('ui.table.selectAll')}
              checked={all}
              onChange={() => props.onSelect?.(new Set(all ? [] : rows.map(props.rowId)))}
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
  row: Row;
  /** Its place among all rows, when not all of them are in the page. */
  index?: number;
}

function DataRow<Row extends object>({ view, row, index }: DataRowProps<Row>) {
  const t = useText();
  const { props, visible, selectable } = view;
  const href = props.rowHref?.(row);
  return (
    <tr
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={selectable ? view.isSelected(row) : undefined}
      className={classNames(
        'border-b border-line last:border-b-0',
        href !== undefined && 'cursor-pointer hover:bg-hover',
        view.isSelected(row) && 'bg-accent-soft',
      )}
      onClick={href === undefined ? undefined : followRow}
    >
      {selectable && (
        <td className="h-11 w-10 pr-0 pl-4">
          <input
            type="checkbox"
            aria-label={t('ui.table.selectRow')}
            checked={view.isSelected(row)}
            onChange={() => view.toggle(row)}
            className="block size-4 accent-accent"
          />
        </td>
      )}
      {visible.map((column, place) => (
        <td key={column.id} className={cellClass(column)}>
          {place === 0 && href !== undefined ? (
            <PlainLink href={href} data-row-link className="text-text no-underline hover:underline">
              {column.cell(row)}
            </PlainLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function cellClass<Row>(column: Column<Row>): string {
  return classNames('h-11 px-3 py-2 first:pl-4 last:pr-4', column.align === 'right' && 'figures text-right');
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
