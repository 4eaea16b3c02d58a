import type { ReactNode } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import type { Column } from './data-table-model.ts';
import type { TableView } from './data-table-view.ts';
import { PlainLink } from './plain-link.tsx';
import { SkeletonCards } from './skeleton-cards.tsx';

/** On a phone this many rows of one list are enough to scroll through; the pager leads on. */
const most = 100;

/** The rows as cards: what it is, how much and its status first, the rest beneath, as terms and values where that is needed. */
export function DataCards<Row extends object>({
  view,
  columns,
}: {
  view: TableView<Row>;
  columns: readonly Column<Row>[];
}) {
  const t = useText();
  const { props, rows, selectable } = view;
  if (props.rows === undefined) return <SkeletonCards count={props.skeletonRows} />;
  const title = columns.find((column) => column.card === 'title') ?? columns[0];
  const figure = columns.find((column) => column.card === 'figure');
  const status = columns.find((column) => column.card === 'status');
  const meta = columns.filter((column) => column.card === 'meta');
  const lines = columns.filter((column) => column !== title && (column.card ?? 'line') === 'line');
  return (
    <ul className={classNames('m-0 list-none p-0', props.updating && 'opacity-60')}>
      {rows.slice(0, most).map((row) => {
        const href = props.rowHref?.(row);
        const name = title?.cell(row);
        return (
          <li key={props.rowId(row)} className="flex gap-3 border-b border-line px-4 py-3 last:border-b-0">
            {selectable && (
              <input
                type="checkbox"
                aria-label={t('ui.table.selectRow')}
                checked={view.isSelected(row)}
                onChange={() => view.toggle(row)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
            )}
            <div className="min-w-0 flex-1">
              <div className="flex items-start justify-between gap-3">
                <div className="min-w-0 font-medium">
                  {href === undefined ? (
                    name
                  ) : (
                    <PlainLink href={href} className="text-text">
                      {name}
                    </PlainLink>
                  )}
                </div>
                {(figure ?? status) && (
                  <div className="flex shrink-0 flex-col items-end text-right">
                    {figure?.cell(row)}
                    {status && <div className="text-13">{status.cell(row)}</div>}
                  </div>
                )}
              </div>
              {meta.length > 0 && (
                <div className="figures mt-1 flex flex-wrap items-end justify-between gap-x-4 text-12 text-faint">
                  {meta.map((column) => (
                    <div key={column.id} className="max-w-full min-w-0 break-words">
                      {column.cell(row)}
                    </div>
                  ))}
                </div>
              )}
              {lines.length > 0 && (
                <dl className="m-0 mt-1.5 flex flex-col gap-1 text-13">
                  {lines.map((column) => (
                    <Line key={column.id} term={column.header} value={column.cell(row)} />
                  ))}
                </dl>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** A term without a value is left out; a part that draws nothing itself leaves its line empty, which is hidden too. */
function Line({ term, value }: { term: ReactNode; value: ReactNode }) {
  if (value === null || value === undefined || value === false || value === '') return null;
  return (
    <div className="flex items-baseline justify-between gap-4 has-[dd:empty]:hidden">
      <dt className="shrink-0 text-faint">{term}</dt>
      <dd className="figures m-0 min-w-0 text-right">{value}</dd>
    </div>
  );
}
