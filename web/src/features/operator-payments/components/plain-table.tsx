import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';

interface Column<Row> {
  key: string;
  header: string;
  right?: boolean;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** What it shows, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  foot?: ReactNode;
}

/** A few rows that are read, not searched; wide ones are scrolled within themselves. */
export function PlainTable<Row>({ caption, columns, rows, rowId, foot }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field set, and no landmark, since several have the same name
    <div
      role="group"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-10 border border-line"
    >
      <table className="w-full border-collapse text-left text-13">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line bg-sunken text-12 text-faint">
            {columns.map(({ key, header, right }) => (
              <th
                key={key}
                scope="col"
                className={classNames('px-3 py-2 font-medium whitespace-nowrap', right && 'text-right')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)} className="border-line not-last:border-b">
              {columns.map(({ key, right, cell }) => (
                <td key={key} className={classNames('figures min-w-20 px-3 py-2 align-top', right && 'text-right')}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot}
      </table>
    </div>
  );
}
