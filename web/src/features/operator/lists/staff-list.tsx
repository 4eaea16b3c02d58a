import { listOperators } from 'virtual:calls/operator';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { ColleagueName, ColleagueState } from '../components/colleague.tsx';
import { roleTexts, staffStateTexts } from '../words.ts';

/** The people of the operator, by name. A reader is one of them, so a list without filters is never empty. */
export const staffList = defineList({
  call: listOperators,
  label: 'ops.title.staff',
  name: 'operator-staff',
  filters: [
    { kind: 'search', name: 'keyword', label: 'ops.staff.search' },
    { kind: 'choice', name: 'role', label: 'ops.field.role', options: roleTexts },
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: staffStateTexts },
  ],
  columns: ({ t }) => [
    {
      id: 'name',
      header: t('ops.field.name'),
      card: 'title',
      skeleton: 'w-32',
      cell: (person) => <ColleagueName person={person} />,
    },
    {
      id: 'role',
      header: t('ops.field.role'),
      skeleton: 'w-20',
      cell: ({ role }) => t(`ops.role.${role}`),
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      skeleton: 'w-16',
      cell: ({ state }) => <ColleagueState state={state} />,
    },
    {
      id: 'lastSignInAt',
      header: t('ops.field.lastSignIn'),
      skeleton: 'w-36',
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? <span className="text-faint">{t('ops.never')}</span> : <Time at={lastSignInAt} />,
    },
    {
      id: 'createdAt',
      header: t('ops.field.createdAt'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ createdAt }) => <Time at={createdAt} dateOnly />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/staff/${id}`,
  add: { text: 'ops.invite', permission: 'operator.staff' },
  empty: { icon: 'people', title: 'ui.list.noMatch' },
});
