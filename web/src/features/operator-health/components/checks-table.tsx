import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Health } from '../api.ts';

type Check = Health['checks'][number];

/** The checks of the worker: those that fail, and all where one asks for them. */
export function ChecksTable({ checks }: { checks: readonly Check[] }) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  const count = checks.length;
  const columns = useMemo(
    (): Column<Check>[] => [
      {
        id: 'name',
        header: t('ops.checks.name'),
        card: 'title',
        cell: ({ name, title }) => (
          <span className="inline-flex flex-col wrap-anywhere">
            <span className="font-medium">{title}</span>
            <span className="font-mono text-12 text-faint">{name}</span>
          </span>
        ),
      },
      {
        id: 'state',
        header: t('ops.field.state'),
        cell: ({ ok, reason }) => (
          <StatusDot tone={ok ? 'positive' : 'negative'} {...(reason !== null && { detail: reason })}>
            {t(ok ? 'ops.checks.ok' : 'ops.checks.failing')}
          </StatusDot>
        ),
      },
      { id: 'since', header: t('ops.checks.since'), cell: ({ since }) => <Time at={since} /> },
      { id: 'checkedAt', header: t('ops.checks.checkedAt'), cell: ({ checkedAt }) => <Time at={checkedAt} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('ops.checks.title')}
      columns={columns}
      rows={isWhole ? checks : checks.filter(({ ok }) => !ok)}
      rowId={({ name }) => name}
      toolbar={
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="m-0 text-14 font-semibold">{t('ops.checks.title')}</h2>
          {!isWhole && count > 0 && <Button onClick={() => setWhole(true)}>{t('ops.checks.all', { count })}</Button>}
        </div>
      }
      empty={
        count === 0 ? (
          <EmptyState icon="clock" title={t('ops.health.notReported')} text={t('ops.checks.emptyText')} />
        ) : (
          <EmptyState icon="check" title={t('ops.checks.allOk')} text={t('ops.checks.allOkText', { count })} />
        )
      }
    />
  );
}
