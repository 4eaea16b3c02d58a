import type { ReactNode } from 'react';
import type { Sort } from '../lib/list-state.ts';
import type { Column } from './data-table-model.ts';
import type { PagerProps } from './pager.tsx';

export interface DataTableProps<Row extends object> {
  /** What the table shows; its name for a screen reader. */
  label: string;
  /** Stable between renders (a constant or a memo). */
  columns: readonly Column<Row>[];
  /** Rows that are no table: draws them, and what holds their place while they load. */
  draw?: { rows: (rows: readonly Row[]) => ReactNode; skeleton: ReactNode };
  /** Undefined while the first answer is on its way. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Where a row leads; its first cell becomes a link, and a click anywhere on it follows. */
  rowHref?: (row: Row) => string;
  /** Another page is on its way: what is shown stays, dimmed. */
  updating?: boolean;
  error?: unknown;
  onRetry?: () => void;
  /** What goes here and the first step. */
  empty: ReactNode;
  /** The current order, when the server sorts the list. */
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  pager?: PagerProps;
  /** Ids of the rows ticked; with `onSelect` each row gets a box. */
  selected?: ReadonlySet<string>;
  onSelect?: (ids: ReadonlySet<string>) => void;
  /** Above the table: filters, what can be done with the rows ticked. A function puts the choice of columns among its buttons. */
  toolbar?: ReactNode | ((chooser: ReactNode) => ReactNode);
  /** Name under which this browser remembers which columns are hidden. */
  name?: string;
  /** Rows of skeleton while the first answer is on its way. */
  skeletonRows?: number;
}

/** What the drawing parts need of the table. */
export interface TableView<Row extends object> {
  props: DataTableProps<Row>;
  visible: readonly Column<Row>[];
  rows: readonly Row[];
  sort: Sort | null;
  onSort: (column: Column<Row>) => void;
  selectable: boolean;
  isSelected: (row: Row) => boolean;
  toggle: (row: Row) => void;
}

/** The columns that the reader may show and hide. */
export interface Chooser {
  options: { key: string; label: string; checked: boolean }[];
  onChange: (key: string, checked: boolean) => void;
}
