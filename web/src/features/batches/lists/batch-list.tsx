import { listBatches } from 'virtual:calls/batches';
import { amountLine } from '../../../ui/amount-parts.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { paidOf, stateTexts, toneOf } from '../words.ts';

/** The company's batches, the newest first. */
export const batchList = defineList({
  call: listBatches,
  label: 'batches.list',
  name: 'batches',
  filters: [
    { kind: 'search', name: 'keyword', label: 'batches.search' },
    { kind: 'choice', name: 'state', label: 'batches.field.state', options: stateTexts },
  ],
  columns: ({ t, tag }) => [
    {
      id: 'name',
      header: t('batches.field.name'),
      card: 'title',
      skeleton: 'w-40',
      cell: ({ name, fileName }) => (
        <span className="inline-flex max-w-80 flex-col">
          <span className="line-clamp-2 font-medium break-words">{name}</span>
          {fileName !== null && <span className="line-clamp-1 text-12 text-faint">{fileName}</span>}
        </span>
      ),
    },
    {
      id: 'rows',
      header: t('batches.field.rows'),
      align: 'right',
      skeleton: 'w-10',
      cell: ({ rows }) => <span className="figures">{rows.toLocaleString(tag)}</span>,
    },
    {
      id: 'totals',
      header: t('batches.field.totals'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-28',
      cell: ({ totals }) =>
        totals.length === 0 ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="figures inline-flex flex-col items-end">
            {totals.map(({ asset, amount }) => (
              <span key={asset}>{amountLine(amount, asset)}</span>
            ))}
          </span>
        ),
    },
    {
      id: 'createdBy',
      header: t('batches.field.createdBy'),
      skeleton: 'w-24',
      cell: ({ createdBy }) => createdBy.name,
    },
    {
      id: 'createdAt',
      header: t('batches.field.createdAt'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'state',
      header: t('batches.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ state, rows, progress }) => (
        <StatusDot
          tone={toneOf({ state, progress })}
          detail={progress ? paidOf({ rows, ...progress }, (count) => count.toLocaleString(tag), t) : undefined}
        >
          {t(`batches.state.${state}`)}
        </StatusDot>
      ),
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/storm/${id}`,
  empty: { icon: 'storm', title: 'batches.list.empty', text: 'batches.list.emptyText' },
});
