import type { AuditEvent } from '@causeway/contract/audit.ts';
import { useText } from '../../../lib/locale.tsx';
import { Time } from '../../../ui/time.tsx';
import { PlainTable } from './plain-table.tsx';

/** What the company's own audit log says of it, newest first. */
export function AuditEntries({ events }: { events: readonly AuditEvent[] }) {
  const t = useText();
  if (events.length === 0) return <p className="m-0 text-13 text-muted">{t('ops.audit.none')}</p>;
  return (
    <PlainTable
      caption={t('ops.payments.audit')}
      rows={events}
      rowId={({ id }) => id}
      columns={[
        { key: 'at', header: t('transactions.column.time'), cell: ({ at }) => <Time at={at} /> },
        {
          key: 'what',
          header: t('ops.audit.what'),
          cell: ({ what, facts, changes }) => (
            <span className="flex flex-col">
              <span>{what}</span>
              {[
                ...facts.filter(({ isDigest }) => !isDigest).map(({ label, value }) => `${label}: ${value}`),
                ...changes.map(({ label, before, after }) => `${label}: ${before ?? '–'} → ${after ?? '–'}`),
              ].map((line) => (
                <span key={line} className="text-12 wrap-anywhere text-faint">
                  {line}
                </span>
              ))}
            </span>
          ),
        },
        { key: 'by', header: t('ops.request.by'), cell: ({ actor }) => actor.name ?? '–' },
        {
          key: 'seal',
          header: t('ops.audit.seal'),
          right: true,
          cell: ({ seal }) => (seal === null ? t('ops.audit.unsealed') : seal.seq),
        },
      ]}
    />
  );
}
