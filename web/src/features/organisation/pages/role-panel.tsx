import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckTree } from '../../../ui/check-tree.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PanelFormFoot } from '../../../ui/panel-form-foot.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ControlNote, PendingChanges, useTellChange } from '../../control/index.ts';
import { type Role, useEditRole, useMenuGroups, useRoles } from '../api.ts';
import { atField } from '../at-field.ts';
import { RoleActions } from '../components/role-actions.tsx';
import { RoleFields } from '../components/role-fields.tsx';
import { permissionNodes } from '../permission-choice.ts';
import { checkRole, roleValuesOf } from '../role-values.ts';
import { authorityText } from '../words.ts';

/** One role beside the list: the company's own to be changed, a system role to be read. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const roles = useRoles();
  const role = roles.data?.find((candidate) => candidate.id === id);
  return (
    <SidePanel
      title={role?.name ?? t('organisation.role.title')}
      backTo="/app/role-management"
      {...(role && { actions: <RoleActions key={role.id} role={role} /> })}
    >
      {roles.data === undefined && roles.error !== null ? (
        <ErrorState error={roles.error} onRetry={() => void roles.refetch()} />
      ) : (
        <Loading loading={roles.data === undefined} skeleton={<Skeleton height="h-120" />}>
          {role === undefined ? (
            <EmptyState
              icon="search"
              title={t('organisation.role.notFound')}
              text={t('organisation.role.notFoundText')}
            />
          ) : role.system === null ? (
            <OwnRole key={role.id} role={role} />
          ) : (
            <SystemRole role={role} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function OwnRole({ role }: { role: Role }) {
  const t = useText();
  const fields = useFields({ check: checkRole, defaults: roleValuesOf(role) });
  const edit = useEditRole();
  const tell = useTellChange();
  return (
    <div className="flex flex-col gap-6">
      <PendingChanges kinds={['editRole']} subjectId={role.id} />
      <Holders role={role} />
      <Form
        fields={fields}
        onSubmit={async (body) => {
          const effect = await edit.mutateAsync({ body }).catch(atField);
          tell(effect, t('organisation.edited'));
          // What waits is in the note above; the form shows what is in force.
          if (!effect.applied) fields.reset();
        }}
        label={t('organisation.role.edit')}
      >
        <RoleFields fields={fields} holders={role.memberCount} />
        {role.memberCount > 0 && <ControlNote permission="role.manage" />}
        <PanelFormFoot>
          {role.memberCount > 0 && (
            <span className="text-13 text-muted">
              {t('organisation.role.takesEffect', { count: role.memberCount })}
            </span>
          )}
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('organisation.save')}
          </Button>
        </PanelFormFoot>
      </Form>
    </div>
  );
}

function SystemRole({ role }: { role: Role }) {
  const t = useText();
  const groups = useMenuGroups();
  const ticked = useMemo(() => new Set<string>(role.permissions), [role.permissions]);
  const nodes = useMemo(() => permissionNodes(groups.data ?? [], new Set()), [groups.data]);
  return (
    <div className="flex flex-col gap-6">
      <Banner kind="notice">{t('organisation.role.systemText')}</Banner>
      <Holders role={role} />
      {groups.data === undefined && groups.error !== null ? (
        <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />
      ) : (
        <Loading loading={groups.data === undefined} skeleton={<Skeleton height="h-80" />}>
          <CheckTree
            label={t('organisation.role.permissions')}
            hint={t('organisation.role.permissionCount', { count: role.permissions.length })}
            nodes={nodes}
            value={ticked}
            onChange={() => undefined}
            readOnly
          />
        </Loading>
      )}
    </div>
  );
}

function Holders({ role }: { role: Role }) {
  const t = useText();
  const tag = useLocaleTag();
  const formats = useFormats();
  return (
    <DescriptionList
      facts={[
        ...(role.system === null
          ? []
          : [{ term: t('organisation.role.authority'), value: authorityText(t, tag, role) }]),
        {
          term: t('organisation.field.members'),
          value:
            role.memberCount === 0 ? (
              formats.count(0)
            ) : (
              <PlainLink href={`/app/member-management?role=${role.id}`} className="text-accent">
                {formats.count(role.memberCount)}
              </PlainLink>
            ),
        },
        ...(role.createdAt === null
          ? []
          : [{ term: t('organisation.field.createdAt'), value: <Time at={role.createdAt} dateOnly /> }]),
      ]}
    />
  );
}
