import type { AuditEvent } from '@causeway/contract/audit.ts';
import { useFormats } from '../../../lib/format.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { sealing_ms, useAuditFilters } from '../api.ts';
import { isInstant, sidesOf } from '../components/changes.tsx';
import type { AuditSource } from '../source.ts';

/** A log, the newest first. */
export function auditListOf({ list, path }: Pick<AuditSource, 'list' | 'path'>) {
  return defineList({
    call: list,
    label: 'auditLog.list',
    name: 'audit',
    filters: [
      { kind: 'search', name: 'keyword', label: 'auditLog.search' },
      { kind: 'choice', name: 'actor', label: 'auditLog.who', options: useActors },
      { kind: 'choice', name: 'action', label: 'auditLog.what', options: useActions },
      { kind: 'choice', name: 'subjectKind', label: 'auditLog.subject', options: useSubjectKinds },
      { kind: 'link', name: 'subjectId' },
      { kind: 'dates', label: 'auditLog.period' },
    ],
    columns: ({ t }) => [
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
          <span className="max-w-52 wrap-anywhere md:line-clamp-2" title={event.subject.name ?? undefined}>
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
        cell: (event) => <Summary event={event} />,
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
    ],
    rowId: (event) => event.id,
    href: (event) => `${path}/${event.id}`,
    empty: { icon: 'shield', title: 'auditLog.empty.title', text: 'auditLog.empty.text' },
    skeletonRows: 10,
    again_ms: (events) => (events.some(({ seal }) => seal === null) ? sealing_ms : null),
  });
}

function useActors() {
  return (useAuditFilters()?.actors ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

function useActions() {
  return byLabel((useAuditFilters()?.actions ?? []).map(({ action, name }) => ({ value: action, label: name })));
}

function useSubjectKinds() {
  return byLabel((useAuditFilters()?.subjectKinds ?? []).map(({ kind, name }) => ({ value: kind, label: name })));
}

function byLabel<T extends { label: string }>(choices: T[]): T[] {
  return choices.sort((a, b) => a.label.localeCompare(b.label));
}

/** Its place in the chain, once it has one. */
function SealWord({ event, t }: { event: Pick<AuditEvent, 'seal'>; t: Translate }) {
  if (event.seal === null) return <StatusDot tone="progress">{t('auditLog.seal.pending')}</StatusDot>;
  return <StatusDot tone="positive">{t('auditLog.seal.sealed', { seq: event.seal.seq })}</StatusDot>;
}

function Summary({ event }: { event: AuditEvent }) {
  const formats = useFormats();
  const text = summary(event, useText(), (value) => (isInstant(value) ? formats.dateTime(value) : value));
  return (
    <span className="line-clamp-1 max-w-56 text-13 text-muted" title={text}>
      {text}
    </span>
  );
}

/** What changed, in one line; what else is recorded when nothing did. */
function summary({ changes, facts }: AuditEvent, t: Translate, asText: (value: string) => string): string {
  const said = (value: string | null) => (value === null ? t('auditLog.nothing') : asText(value));
  const parts =
    changes.length > 0
      ? changes.map(({ label, before, after, switched }) => {
          if (switched === 'on') return t('auditLog.summary.switchedOn', { label });
          if (switched === 'off') return t('auditLog.summary.switchedOff', { label });
          if (sidesOf(changes) !== 'both') {
            return t('auditLog.summary.fact', { label, value: said(before ?? after) });
          }
          return t('auditLog.summary.change', { label, before: said(before), after: said(after) });
        })
      : facts
          .filter(({ isDigest }) => !isDigest)
          .map(({ label, value }) => t('auditLog.summary.fact', { label, value: said(value) }));
  return parts.length === 0 ? '' : parts.reduce((one, other) => t('auditLog.summary.and', { one, other }));
}
