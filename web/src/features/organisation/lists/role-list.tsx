import { listRoles } from 'virtual:calls/organisation';
import { invalidateOn } from '../../../lib/live.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot, Tag } from '../../../ui/status-dot.tsx';
import { authorityText } from '../words.ts';

// The page of the list has nothing of `api.ts`, which declares the others.
invalidateOn(['organisation'], [listRoles]);

/** The system roles, then the company's own; all at once. */
export const roleList = defineList({
  call: listRoles,
  label: 'organisation.roles.list',
  name: 'roles',
  filters: [
    { kind: 'search', name: 'keyword', label: 'organisation.roles.search' },
    {
      kind: 'choice',
      name: 'active',
      label: 'organisation.field.status',
      options: { true: 'organisation.role.active', false: 'organisation.role.inactive' },
    },
  ],
  columns: ({ t, tag }) => [
    {
      id: 'name',
      header: t('organisation.role.name'),
      card: 'title',
      skeleton: 'w-32',
      cell: (role) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="font-medium break-words">{role.name}</span>
          {role.system !== null && <Tag>{t('organisation.role.system')}</Tag>}
        </span>
      ),
    },
    {
      id: 'authority',
      header: t('organisation.role.authority'),
      cell: (role) => <span className="figures">{authorityText(t, tag, role)}</span>,
    },
    {
      id: 'permissions',
      header: t('organisation.role.permissions'),
      align: 'right',
      skeleton: 'w-8',
      cell: (role) => role.permissions.length,
    },
    {
      id: 'members',
      header: t('organisation.field.members'),
      align: 'right',
      skeleton: 'w-8',
      cell: (role) => role.memberCount,
    },
    {
      id: 'status',
      header: t('organisation.field.status'),
      skeleton: 'w-16',
      cell: (role) => (
        <StatusDot tone={role.active ? 'positive' : 'neutral'}>
          {t(role.active ? 'organisation.role.active' : 'organisation.role.inactive')}
        </StatusDot>
      ),
    },
  ],
  rowId: (role) => role.id,
  href: (role) => `/app/role-management/${role.id}`,
  add: { text: 'organisation.role.add', permission: 'role.manage', href: '/app/role-management/add' },
  empty: { title: 'ui.list.noMatch' },
  skeletonRows: 4,
});
