import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  type SortFn,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** A column of a DataTable. */
export interface Column<Row> {
  /** Also the name that the server sorts by. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /**
   * Makes the column sortable. A function gives the value that rows already here are ordered by; `server` leaves the
   * order to whoever answers the list.
   */
  sort?: 'server' | ((row: Row) => string | number | bigint | null);
  /** Figures stand at the right. */
  align?: 'right';
  /** As CSS: `140px`, `20%`. Columns without one share what is left. */
  width?: string;
  /** May be hidden by the reader; the first column never is. */
  hideable?: boolean;
  hiddenAtFirst?: boolean;
  /** Where it stands on a card of a narrow screen. `line` unless given. */
  card?: 'title' | 'figure' | 'line' | 'none';
  /** The shape of its skeleton, e.g. `w-24`. */
  skeleton?: string;
}

export const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
export type TableFeatures = typeof features;

/** TanStack Table's definition of our columns; texts are ordered as the language `tag` orders them. */
export function definitions<Row extends object>(
  columns: readonly Column<Row>[],
  tag: string,
): ColumnDef<TableFeatures, Row>[] {
  const sortFn = byValue<Row>(tag);
  return columns.map((column, index) => ({
    id: column.id,
    accessorFn: (row: Row) => (typeof column.sort === 'function' ? column.sort(row) : null),
    header: column.header,
    enableSorting: column.sort !== undefined,
    enableHiding: index > 0 && column.hideable !== false,
    sortFn,
    sortDescFirst: column.sort === 'server' || column.align === 'right',
  }));
}

/** Rows without a value come last in ascending order. */
function byValue<Row extends object>(tag: string): SortFn<TableFeatures, Row> {
  const collator = new Intl.Collator(tag, { numeric: true });
  return (a, b, id) => {
    const left: unknown = a.getValue(id);
    const right: unknown = b.getValue(id);
    if (left === right) return 0;
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    if (typeof left === 'string' && typeof right === 'string') return collator.compare(left, right);
    return (left as number) < (right as number) ? -1 : 1;
  };
}
