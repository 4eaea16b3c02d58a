import { useMemo, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Health, type Table, useTables } from '../api.ts';

/** How large the database and the files are, how fast they grow, and when PostgreSQL's log was last archived. */
export function StorageCard({ storage }: { storage: Health['storage'] }) {
  const t = useText();
  const { bytes } = useFormats();
  const [isShown, setShown] = useState(false);
  const { databaseBytes, databasePerDay, files, archive } = storage;
  return (
    <>
      <Card
        title={t('ops.storage.title')}
        aside={!isShown && <Button onClick={() => setShown(true)}>{t('ops.storage.tables')}</Button>}
      >
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-3">
          <Stat
            label={t('ops.storage.database')}
            value={bytes(databaseBytes)}
            detail={
              databasePerDay === null
                ? t('ops.storage.growthUnknown')
                : t('ops.storage.growth', { size: bytes(databasePerDay) })
            }
          />
          <Stat
            label={t('ops.storage.files')}
            value={files === null ? t('ops.health.notReported') : bytes(files.usedBytes)}
            detail={
              files !== null && t('ops.storage.free', { free: bytes(files.freeBytes), total: bytes(files.totalBytes) })
            }
          />
          <Stat
            label={t('ops.storage.archive')}
            value={
              archive === null ? (
                t('ops.storage.archiveOff')
              ) : archive.lastAt ? (
                <Archived at={archive.lastAt} />
              ) : (
                t('ops.storage.archiveNever')
              )
            }
            detail={
              archive === null
                ? t('ops.storage.archiveOffText')
                : archive.failed > 0 && t('ops.storage.archiveFailed', { count: archive.failed })
            }
          />
        </div>
      </Card>
      {isShown && <Tables />}
    </>
  );
}

function Archived({ at }: { at: string }) {
  return <Time at={new Date(at).toISOString()} />;
}

function Tables() {
  const t = useText();
  const { bytes, count } = useFormats();
  const read = useTables(true);
  const columns = useMemo(
    (): Column<Table>[] => [
      {
        id: 'name',
        header: t('ops.storage.table'),
        card: 'title',
        cell: ({ name }) => <span className="font-mono text-13 wrap-anywhere">{name}</span>,
      },
      {
        id: 'bytes',
        header: t('ops.storage.size'),
        align: 'right',
        sort: (row) => row.bytes,
        cell: (row) => bytes(row.bytes),
      },
      {
        id: 'rows',
        header: t('ops.storage.rows'),
        align: 'right',
        sort: ({ rows }) => rows,
        cell: ({ rows }) => count(rows),
      },
      {
        id: 'perDay',
        header: t('ops.storage.perDay'),
        align: 'right',
        sort: ({ perDay }) => perDay,
        cell: ({ perDay }) => (perDay === null ? <span className="text-faint">–</span> : bytes(perDay)),
      },
    ],
    [t, bytes, count],
  );
  return (
    <DataTable
      label={t('ops.storage.tables')}
      columns={columns}
      rows={read.data?.tables}
      rowId={({ name }) => name}
      error={read.data === undefined ? read.error : null}
      onRetry={() => void read.refetch()}
      empty={<EmptyState title={t('ops.health.notReported')} />}
    />
  );
}
