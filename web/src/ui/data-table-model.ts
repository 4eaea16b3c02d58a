import type { ReactNode } from 'react';
import type { Sort } from '../lib/list-state.ts';

/** A column of a DataTable. */
export interface Column<Row> {
  /** Also the name that the server sorts by. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /**
   * Makes the column sortable. A function gives the value that rows already here are ordered by; `server` leaves the
   * order to the server.
   */
  sort?: 'server' | ((row: Row) => SortValue);
  /** Figures are aligned to the right. */
  align?: 'right';
  /** As CSS: `140px`, `20%`. Columns without one share the remaining width. */
  width?: string;
  /** May be hidden by the reader; the first column never is. */
  hideable?: boolean;
  hiddenAtFirst?: boolean;
  /**
   * Its place on the card of a narrow screen: `line`, with its name, unless given; `status` under the figure; `meta` on one
   * line with the others like it, without names, for what says itself what it is.
   */
  card?: 'title' | 'figure' | 'status' | 'meta' | 'line' | 'none';
  /** The shape of its skeleton, e.g. `w-24`. */
  skeleton?: string;
}

type SortValue = string | number | bigint | null;

/** First click: figures and times downwards, words upwards; second: the other way; third: the list's own order. */
export function nextSort<Row>(sort: Sort | null, column: Column<Row>): Sort | null {
  const first = column.sort === 'server' || column.align === 'right' ? 'desc' : 'asc';
  if (sort?.by !== column.id) return { by: column.id, order: first };
  return sort.order === first ? { by: column.id, order: first === 'desc' ? 'asc' : 'desc' } : null;
}

/**
 * Rows in the order asked for; `tag` names the language whose alphabet orders texts. Each row's value is taken once, equal
 * rows keep their places, rows without a value come last either way.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | null,
  tag: string,
): readonly Row[] {
  const sortValue = columns.find((column) => column.id === sort?.by)?.sort;
  if (sort === null || typeof sortValue !== 'function') return rows;
  const collator = new Intl.Collator(tag, { numeric: true });
  const direction = sort.order === 'asc' ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: sortValue(row) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return direction * compare(a.value, b.value, collator);
  });
  return keyed.map(({ row }) => row);
}

function compare(a: string | number | bigint, b: string | number | bigint, collator: Intl.Collator): number {
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
  return a === b ? 0 : a < b ? -1 : 1;
}
