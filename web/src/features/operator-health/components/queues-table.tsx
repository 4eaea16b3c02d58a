import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Health } from '../api.ts';

type Queue = Health['jobs'][number];
const states = ['waiting', 'running', 'retrying', 'failed'] as const;

/** Jobs by name and state, without what they are about. */
export function QueuesTable({ health: { jobs, reportedAt } }: { health: Health }) {
  const t = useText();
  const { count } = useFormats();
  const columns = useMemo(
    (): Column<Queue>[] => [
      {
        id: 'name',
        header: t('ops.queues.name'),
        card: 'title',
        cell: ({ name }) => <span className="font-mono text-13 wrap-anywhere">{name}</span>,
      },
      ...states.map(
        (state): Column<Queue> => ({
          id: state,
          header: t(`ops.queues.${state}`),
          align: 'right',
          cell: (queue) =>
            state === 'failed' && queue.failed > 0 ? (
              <PlainLink href="/app/health/jobs">{count(queue.failed)}</PlainLink>
            ) : (
              <span className={queue[state] === 0 ? 'text-faint' : ''}>{count(queue[state])}</span>
            ),
        }),
      ),
      {
        id: 'oldestAt',
        header: t('ops.queues.oldest'),
        cell: ({ oldestAt }) =>
          oldestAt === null ? <span className="text-faint">–</span> : <Time at={new Date(oldestAt).toISOString()} />,
      },
    ],
    [t, count],
  );
  return (
    <DataTable
      label={t('ops.queues.title')}
      columns={columns}
      rows={jobs}
      rowId={({ name }) => name}
      toolbar={<h2 className="m-0 text-14 font-semibold">{t('ops.queues.title')}</h2>}
      empty={
        <EmptyState
          icon="check"
          title={t(reportedAt === null ? 'ops.health.notReported' : 'ops.queues.empty')}
          text={t('ops.queues.emptyText')}
        />
      }
    />
  );
}
