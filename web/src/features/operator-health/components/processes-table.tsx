import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Health } from '../api.ts';

type Process = Health['processes'][number];

/** What runs, where and as which version. */
export function ProcessesTable({ health: { processes, migration, migrations } }: { health: Health }) {
  const t = useText();
  const columns = useMemo(
    (): Column<Process>[] => [
      {
        id: 'name',
        header: t('ops.process.name'),
        card: 'title',
        cell: ({ name }) => <span className="font-medium">{name}</span>,
      },
      {
        id: 'version',
        header: t('ops.process.version'),
        cell: ({ version, commit }) => (
          <span>
            {version} {commit !== null && <span className="font-mono text-12 text-faint">{commit.slice(0, 12)}</span>}
          </span>
        ),
      },
      { id: 'host', header: t('ops.process.host'), cell: ({ host, pid }) => `${host} · ${pid}` },
      { id: 'startedAt', header: t('ops.process.startedAt'), cell: ({ startedAt }) => <Time at={startedAt} /> },
      {
        id: 'state',
        header: t('ops.field.state'),
        cell: ({ silent, seenAt }) => (
          <StatusDot tone={silent ? 'negative' : 'positive'} detail={<Time at={seenAt} />}>
            {t(silent ? 'ops.process.silent' : 'ops.process.runs')}
          </StatusDot>
        ),
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('ops.process.title')}
      columns={columns}
      rows={processes}
      rowId={({ id }) => id}
      toolbar={
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="m-0 text-14 font-semibold">{t('ops.process.title')}</h2>
          <span className="text-12 text-faint wrap-anywhere">
            {t('ops.process.migrations', { count: migrations, last: migration ?? '–' })}
          </span>
        </div>
      }
      empty={<EmptyState icon="settings" title={t('ops.health.notReported')} />}
    />
  );
}
