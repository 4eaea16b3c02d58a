import type { AuditEvent } from '@causeway/contract/audit.ts';
import type { Translate } from '../../../lib/locale.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

export function auditColumns(t: Translate): Column<AuditEvent>[] {
  return [
    {
      id: 'what',
      header: t('auditLog.what'),
      card: 'title',
      width: '24%',
      skeleton: 'w-44',
      cell: (event) => <span className="font-medium break-words">{event.what}</span>,
    },
    { id: 'at', header: t('auditLog.at'), skeleton: 'w-36', cell: (event) => <Time at={event.at} /> },
    {
      id: 'who',
      header: t('auditLog.who'),
      skeleton: 'w-28',
      cell: ({ actor }) => (
        <span className="line-clamp-2 max-w-44 min-w-24 wrap-anywhere" title={actor.name ?? actor.id}>
          {actor.name ?? t('auditLog.unknown')}
        </span>
      ),
    },
    {
      id: 'subject',
      header: t('auditLog.subject'),
      skeleton: 'w-32',
      cell: (event) => (
        <span className="line-clamp-2 max-w-52 break-words">
          {event.subject.kindName}
          {event.subject.name !== null && <span className="text-muted"> · {event.subject.name}</span>}
        </span>
      ),
    },
    {
      id: 'changes',
      header: t('auditLog.changes'),
      hideable: true,
      card: 'none',
      skeleton: 'w-40',
      cell: (event) => (
        <span className="line-clamp-1 max-w-56 text-13 text-muted" title={summary(event, t)}>
          {summary(event, t)}
        </span>
      ),
    },
    {
      id: 'ip',
      header: t('auditLog.ip'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-24',
      cell: (event) => <span className="figures">{event.ip ?? ''}</span>,
    },
    {
      id: 'seal',
      header: t('auditLog.seal'),
      skeleton: 'w-16',
      cell: (event) => <SealWord event={event} t={t} />,
    },
  ];
}

/** Its place in the chain, once it has one. */
function SealWord({ event, t }: { event: Pick<AuditEvent, 'seal'>; t: Translate }) {
  if (event.seal === null) return <StatusDot tone="pending">{t('auditLog.seal.pending')}</StatusDot>;
  return <StatusDot tone="positive">{t('auditLog.seal.sealed', { seq: event.seal.seq })}</StatusDot>;
}

/** What changed, in one line; what else is recorded when nothing did. */
function summary({ changes, facts }: AuditEvent, t: Translate): string {
  const nothing = t('auditLog.nothing');
  if (changes.length > 0) {
    return changes.map(({ label, before, after }) => `${label}: ${before ?? nothing} → ${after ?? nothing}`).join('; ');
  }
  return facts.map(({ label, value }) => `${label}: ${value}`).join('; ');
}
