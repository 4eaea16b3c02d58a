import type { OperatorAnnouncement } from '@causeway/contract/operator-announcements.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useAnnouncement, useCancel } from '../api.ts';
import { audienceText } from '../components/audience.ts';
import { Preview } from '../components/preview.tsx';
import { announcementTones } from '../words.ts';

/** One announcement beside the list: to whom, when, by whom, and as companies get it. */
export function Page() {
  const t = useText();
  const locale = useLocale();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useAnnouncement(id);
  const mayWrite = usePermission('operator.announce');
  const announcement = read.data?.items[0];
  return (
    <SidePanel
      title={announcement?.texts[locale].title ?? t('ops.announcements.one')}
      backTo="/app/announcements"
      {...(announcement && mayWrite && { actions: <Planned key={announcement.id} announcement={announcement} /> })}
    >
      {read.data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-80" />}>
          {announcement === undefined ? (
            <EmptyState
              icon="search"
              title={t('ops.announcements.unknown')}
              text={t('ops.announcements.unknownText')}
            />
          ) : (
            <Parts announcement={announcement} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Parts({ announcement }: { announcement: OperatorAnnouncement }) {
  const t = useText();
  const { state, audience, sendAt, sentAt, companies, writtenBy, createdAt, cancelledBy, cancelledAt } = announcement;
  return (
    <div className="flex flex-col gap-8">
      <DescriptionList
        facts={[
          {
            term: t('ops.field.state'),
            value: <StatusDot tone={announcementTones[state]}>{t(`ops.announcementState.${state}`)}</StatusDot>,
          },
          { term: t('ops.announcements.audience'), value: audienceText(t, audience) },
          {
            term: t(sentAt === null ? 'ops.announcements.sendAt' : 'ops.announcements.sentAt'),
            value: <Time at={sentAt ?? sendAt} />,
          },
          ...(companies === null
            ? []
            : [{ term: t('ops.announcements.mailed'), value: t('ops.prices.companies', { count: companies }) }]),
          { term: t('ops.announcements.writtenBy'), value: writtenBy },
          { term: t('ops.announcements.writtenAt'), value: <Time at={createdAt} /> },
          ...(cancelledBy === null ? [] : [{ term: t('ops.announcements.cancelledBy'), value: cancelledBy }]),
          ...(cancelledAt === null
            ? []
            : [{ term: t('ops.announcements.cancelledAt'), value: <Time at={cancelledAt} /> }]),
        ]}
      />
      <PanelSection title={t('ops.announcements.preview')}>
        <Preview texts={announcement.texts} />
      </PanelSection>
    </div>
  );
}

function Planned({ announcement: { id, sendAt, audience, state } }: { announcement: OperatorAnnouncement }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const cancel = useCancel();
  const run = async () => {
    await cancel.mutateAsync({ params: { id } });
    toast('success', t('ops.announcements.cancelled'));
    setAsking(false);
  };
  return (
    <>
      {state === 'planned' && (
        <>
          <Button onClick={() => setAsking(true)}>{t('ops.announcements.cancel')}</Button>
          <PlainLink href={`/app/write-announcement?id=${id}`} className={buttonClass('primary')}>
            {t('ops.announcements.edit')}
          </PlainLink>
        </>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('ops.announcements.cancelTitle')}
        description={t('ops.announcements.cancelText')}
        facts={[
          { term: t('ops.announcements.audience'), value: audienceText(t, audience) },
          { term: t('ops.announcements.sendAt'), value: <Time at={sendAt} /> },
        ]}
        confirmText={t('ops.announcements.cancel')}
        cancelText={t('ops.announcements.keep')}
        negative
        busy={cancel.isPending}
        over={state === 'planned' || cancel.isPending ? null : t('ops.over.changed')}
        onConfirm={() => void run().catch(() => undefined)}
      />
    </>
  );
}
