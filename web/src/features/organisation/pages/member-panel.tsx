import { localeOf } from '@causeway/contract/locale.ts';
import { useParams } from '@tanstack/react-router';
import { useFormats } from '../../../lib/format.ts';
import { localeNames, useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { SupportContact } from '../../../ui/support-contact.tsx';
import { Time } from '../../../ui/time.tsx';
import { PendingChanges } from '../../control/index.ts';
import { type Member, useMember } from '../api.ts';
import { MemberActions } from '../components/member-actions.tsx';
import { MemberEdit } from '../components/member-edit.tsx';
import { MemberLeave } from '../components/member-leave.tsx';
import { MemberStatusWord, useLinkText } from '../components/member-status.tsx';
import { memberKinds } from '../words.ts';

/** One member beside the list: state and history, the form, leave, and what else can be done. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const members = useMember(id);
  const member = members.data?.items.find((candidate) => candidate.id === id);
  return (
    <SidePanel
      title={member?.name ?? t('organisation.member.title')}
      backTo="/app/member-management"
      {...(member && { actions: <MemberActions key={member.id} member={member} /> })}
    >
      {members.data === undefined && members.error !== null ? (
        <ErrorState error={members.error} onRetry={() => void members.refetch()} />
      ) : (
        <Loading loading={members.data === undefined} skeleton={<Skeleton height="h-120" />}>
          {member === undefined ? (
            <EmptyState
              icon="search"
              title={t('organisation.member.notFound')}
              text={t('organisation.member.notFoundText')}
            />
          ) : (
            <Parts key={member.id} member={member} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Parts({ member }: { member: Member }) {
  const t = useText();
  const link = useLinkText()(member);
  const formats = useFormats();
  return (
    <div className="flex flex-col gap-8">
      <PendingChanges kinds={memberKinds} subjectId={member.id} />
      {member.frozen && (
        <Banner kind="negative">
          {t('organisation.frozen.note', { ...member.frozen, since: formats.dateTime(member.frozen.since) })}
          <SupportContact reference={member.frozen.reference} />
        </Banner>
      )}
      <DescriptionList
        facts={[
          { term: t('organisation.field.status'), value: <MemberStatusWord status={member.status} /> },
          ...(link === null ? [] : [{ term: t('organisation.link.title'), value: link }]),
          {
            term: t('organisation.field.lastLogin'),
            value: member.lastLoginAt === null ? t('organisation.never') : <Time at={member.lastLoginAt} />,
          },
          { term: t('organisation.field.createdAt'), value: <Time at={member.createdAt} /> },
          { term: t('organisation.field.identifier'), value: member.identifierId },
          { term: t('organisation.field.language'), value: localeNames[localeOf(member.language)] },
        ]}
      />
      <PanelSection
        title={t('organisation.member.details')}
        aside={
          member.lastAdministrator ? (
            <Tag tone="notice">{t('organisation.member.lastAdministrator')}</Tag>
          ) : (
            member.self && <Tag>{t('organisation.member.you')}</Tag>
          )
        }
      >
        <MemberEdit member={member} />
      </PanelSection>
      <PanelSection title={t('organisation.leave.title')}>
        <MemberLeave member={member} />
      </PanelSection>
    </div>
  );
}
