import { listMembers } from 'virtual:calls/organisation';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Member, useChoices } from '../api.ts';
import { MemberState } from '../components/member-status.tsx';
import { departmentPath, statusWords } from '../words.ts';

/** The choice of department that asks for those who have none. */
const withoutDepartment = 'none';

/** The members of the company. A reader is a member, so a list without filters is never empty. */
export const memberList = defineList({
  call: listMembers,
  label: 'organisation.members.list',
  name: 'members',
  filters: [
    { kind: 'search', name: 'keyword', label: 'organisation.members.search' },
    {
      kind: 'choice',
      name: 'status',
      label: 'organisation.field.status',
      options: Object.fromEntries(Object.entries(statusWords).map(([status, { text }]) => [status, text])),
    },
    { kind: 'choice', name: 'role', label: 'organisation.field.role', options: useRoleChoices },
    { kind: 'choice', name: 'department', label: 'organisation.field.department', options: useDepartmentChoices },
  ],
  sends: {
    role: (roleId) => ({ roleId }),
    department: (id) => (id === withoutDepartment ? { unassigned: 'true' } : { departmentId: id }),
  },
  columns: ({ t }) => [
    {
      id: 'name',
      header: t('organisation.field.name'),
      card: 'title',
      sort: 'server',
      skeleton: 'w-32',
      cell: (member) => (
        <span className="flex min-w-0 flex-col">
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-medium break-words">{member.name}</span>
            {member.self && <Tag>{t('organisation.member.you')}</Tag>}
            {member.onLeave && <Tag tone="notice">{t('organisation.member.onLeave')}</Tag>}
          </span>
          {member.name !== member.email && <span className="text-12 break-all text-faint">{member.email}</span>}
        </span>
      ),
    },
    {
      id: 'email',
      header: t('organisation.field.email'),
      sort: 'server',
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-40',
      cell: (member) => <span className="break-all">{member.email}</span>,
    },
    { id: 'role', header: t('organisation.field.role'), skeleton: 'w-20', cell: (member) => roleName(t, member) },
    {
      id: 'department',
      header: t('organisation.field.department'),
      hideable: true,
      skeleton: 'w-20',
      cell: (member) => member.department?.name ?? <span className="text-faint">{t('organisation.none')}</span>,
    },
    {
      id: 'mobile',
      header: t('organisation.field.mobile'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      cell: (member) => mobileText(member),
    },
    {
      id: 'status',
      header: t('organisation.field.status'),
      skeleton: 'w-16',
      cell: (member) => <MemberState member={member} />,
    },
    {
      id: 'lastLoginAt',
      header: t('organisation.field.lastLogin'),
      sort: 'server',
      skeleton: 'w-36',
      cell: (member) =>
        member.lastLoginAt === null ? (
          <span className="text-faint">{t('organisation.never')}</span>
        ) : (
          <Time at={member.lastLoginAt} />
        ),
    },
    {
      id: 'createdAt',
      header: t('organisation.field.createdAt'),
      sort: 'server',
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      cell: (member) => <Time at={member.createdAt} dateOnly />,
    },
  ],
  rowId: (member) => member.id,
  href: (member) => `/app/member-management/${member.id}`,
  add: { text: 'organisation.member.add', permission: 'member.manage', href: '/app/member-management/add' },
  empty: { title: 'ui.list.noMatch' },
});

function roleName(t: Translate, { role }: Member) {
  return (
    <span className="inline-flex items-center gap-2">
      {role.name}
      {!role.active && <Tag>{t('organisation.role.inactive')}</Tag>}
    </span>
  );
}

/** "+852 98765432", or nothing. */
function mobileText({ mobileCountryCode, mobile }: Pick<Member, 'mobileCountryCode' | 'mobile'>): string {
  return mobileCountryCode === null || mobile === null ? '' : `+${mobileCountryCode} ${mobile}`;
}

function useRoleChoices() {
  return (useChoices().data?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

function useDepartmentChoices() {
  const t = useText();
  const departments = useChoices().data?.departments ?? [];
  return [
    { value: withoutDepartment, label: t('organisation.unassigned') },
    ...departments.map(({ id }) => ({ value: id, label: departmentPath(departments, id) })),
  ];
}
