import { listOperators } from 'virtual:calls/operator';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { ColleagueName, ColleagueState } from '../components/colleague.tsx';
import { roleTexts, staffStateTexts } from '../words.ts';

/** The people of the operator, by name. A reader is one of them, so a list without filters is never empty. */
export const staffList = defineList({
  call: listOperators,
  label: 'operator.title.staff',
  name: 'operator-staff',
  filters: [
    { kind: 'search', name: 'keyword', label: 'operator.staff.search' },
    { kind: 'choice', name: 'role', label: 'operator.field.role', options: roleTexts },
    { kind: 'choice', name: 'state', label: 'operator.field.state', options: staffStateTexts },
  ],
  columns: ({ t }) => [
    {
      id: 'name',
      header: t('operator.field.name'),
      card: 'title',
      skeleton: 'w-32',
      cell: (person) => <ColleagueName person={person} />,
    },
    {
      id: 'role',
      header: t('operator.field.role'),
      skeleton: 'w-20',
      cell: ({ role }) => t(`operator.role.${role}`),
    },
    {
      id: 'state',
      header: t('operator.field.state'),
      skeleton: 'w-16',
      cell: ({ state }) => <ColleagueState state={state} />,
    },
    {
      id: 'lastSignInAt',
      header: t('operator.field.lastSignIn'),
      skeleton: 'w-36',
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? <span className="text-faint">{t('operator.never')}</span> : <Time at={lastSignInAt} />,
    },
    {
      id: 'createdAt',
      header: t('operator.field.createdAt'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ createdAt }) => <Time at={createdAt} dateOnly />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/staff/${id}`,
  add: { text: 'operator.invite', permission: 'operator.staff' },
  empty: { icon: 'people', title: 'ui.list.noMatch' },
});
