import type { getAuditEvent } from '@causeway/contract/audit.ts';
import type { Output } from '@causeway/contract/call.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useAuditEvent } from '../api.ts';
import { useAuditSource } from '../source.ts';
import { Changes, Value } from './changes.tsx';
import { SealFacts } from './seal-facts.tsx';

type Event = Output<typeof getAuditEvent>;

/** One entry beside the log: who, of what, what changed, and what proves it. */
export function AuditPanel() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const { path } = useAuditSource();
  const event = useAuditEvent(id);
  const { data } = event;
  return (
    <SidePanel title={data?.what ?? t('auditLog.panel.title')} backTo={path}>
      {data === undefined && event.error !== null ? (
        <ErrorState error={event.error} onRetry={() => void event.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <Entry event={data} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function Entry({ event }: { event: Event }) {
  const t = useText();
  const { path } = useAuditSource();
  const { actor, subject } = event;
  return (
    <div className="flex flex-col gap-6">
      <DescriptionList
        facts={[
          { term: t('auditLog.at'), value: <Time at={event.at} /> },
          { term: t('auditLog.who'), value: actor.name ?? <Address value={actor.id} what={t('auditLog.who')} /> },
          { term: t('auditLog.subject'), value: <Subject subject={subject} /> },
          { term: t('auditLog.action'), value: <code className="text-13">{event.action}</code> },
          ...(event.ip === null ? [] : [{ term: t('auditLog.ip'), value: event.ip }]),
          ...(event.requestId === null
            ? []
            : [
                {
                  term: t('auditLog.requestId'),
                  value: <Address value={event.requestId} what={t('auditLog.requestId')} />,
                },
              ]),
        ]}
      />
      {event.changes.length > 0 && (
        <PanelSection title={t('auditLog.changes')}>
          <Changes changes={event.changes} />
        </PanelSection>
      )}
      {event.facts.length > 0 && (
        <PanelSection title={t('auditLog.recorded')}>
          <DescriptionList
            facts={event.facts.map(({ label, value }) => ({ term: label, value: <Value text={value} /> }))}
          />
        </PanelSection>
      )}
      <PanelSection title={t('auditLog.proof')}>
        <SealFacts event={event} />
      </PanelSection>
      <PlainLink
        href={`${path}?subjectKind=${encodeURIComponent(subject.kind)}&subjectId=${encodeURIComponent(subject.id)}`}
        className="text-13 text-accent"
      >
        {t('auditLog.sameSubject')}
      </PlainLink>
    </div>
  );
}

function Subject({ subject: { kind, kindName, id, name } }: { subject: Event['subject'] }) {
  const page = useAuditSource().subjectPages[kind];
  const words = name === null ? kindName : `${kindName} · ${name}`;
  return (
    <span className="flex flex-col items-end gap-1">
      {page === undefined ? (
        words
      ) : (
        <PlainLink href={`${page}/${id}`} className="text-accent">
          {words}
        </PlainLink>
      )}
      <Address value={id} what={kindName} />
    </span>
  );
}
