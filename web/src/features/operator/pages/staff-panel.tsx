import { localeOf } from '@causeway/contract/locale.ts';
import type { Operator } from '@causeway/contract/operator.ts';
import { useParams } from '@tanstack/react-router';
import { localeNames, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useColleague } from '../api.ts';
import { ColleagueState } from '../components/colleague.tsx';
import { OpenAbout } from '../components/open-about.tsx';
import { RoleRights } from '../components/role-rights.tsx';
import { StaffActions } from '../components/staff-actions.tsx';
import { useMe } from '../me.ts';

/** One colleague beside the list: who it is, what the role may do, what is proposed, what can be done. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const me = useMe();
  const mayChange = usePermission('operator.staff');
  const read = useColleague(id);
  const person = read.data?.items.find((candidate) => candidate.id === id);
  const isSelf = me?.id === id;
  return (
    <SidePanel
      title={person?.name ?? t('ops.staff.person')}
      backTo="/app/staff"
      {...(person && mayChange && !isSelf && { actions: <StaffActions key={person.id} person={person} /> })}
    >
      {read.data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-80" />}>
          {person === undefined ? (
            <EmptyState icon="search" title={t('ops.staff.unknown')} text={t('ops.staff.unknownText')} />
          ) : (
            <Parts person={person} isSelf={isSelf && mayChange === true} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Parts({ person, isSelf }: { person: Operator; isSelf: boolean }) {
  const t = useText();
  const { role, lastSignInAt } = person;
  return (
    <div className="flex flex-col gap-8">
      <OpenAbout id={person.id} />
      <DescriptionList
        facts={[
          { term: t('ops.field.state'), value: <ColleagueState state={person.state} /> },
          { term: t('ops.field.role'), value: t(`ops.role.${role}`) },
          { term: t('ops.field.email'), value: <span className="break-all">{person.email}</span> },
          { term: t('ops.field.language'), value: localeNames[localeOf(person.language)] },
          {
            term: t('ops.field.lastSignIn'),
            value: lastSignInAt === null ? t('ops.never') : <Time at={lastSignInAt} />,
          },
          { term: t('ops.field.createdAt'), value: <Time at={person.createdAt} /> },
        ]}
      />
      <PanelSection title={t('ops.rights', { role: t(`ops.role.${role}`) })}>
        <RoleRights role={role} />
      </PanelSection>
      {isSelf && <p className="m-0 text-13 text-faint">{t('ops.staff.self')}</p>}
    </div>
  );
}
