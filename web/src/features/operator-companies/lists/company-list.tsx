import { listCompanies } from 'virtual:calls/operator-companies';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot, Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { Worth } from '../components/worth.tsx';

/** The companies, by name. */
export const companyList = defineList({
  call: listCompanies,
  label: 'ops.title.companies',
  name: 'operator-companies',
  filters: [{ kind: 'search', name: 'keyword', label: 'ops.companies.search' }],
  columns: ({ t }) => [
    {
      id: 'name',
      header: t('ops.companies.field.company'),
      card: 'title',
      width: '30%',
      skeleton: 'w-40',
      cell: ({ name, frozenAt }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{name}</span>
          {frozenAt !== null && <Tag tone="negative">{t('ops.freeze.frozen')}</Tag>}
        </span>
      ),
    },
    {
      id: 'usd',
      header: t('ops.companies.field.usd'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-28',
      cell: (company) => <Worth of={company} />,
    },
    {
      id: 'members',
      header: t('ops.companies.field.members'),
      align: 'right',
      skeleton: 'w-8',
      cell: ({ members }) => members,
    },
    {
      id: 'frozenWallets',
      header: t('ops.companies.field.frozenWallets'),
      skeleton: 'w-16',
      cell: ({ frozenWallets }) =>
        frozenWallets === 0 ? (
          <span className="text-faint">{t('ops.companies.none')}</span>
        ) : (
          <StatusDot tone="pending">{t('ops.companies.frozen', { count: frozenWallets })}</StatusDot>
        ),
    },
    {
      id: 'lastTransactionAt',
      header: t('ops.companies.field.lastTransaction'),
      skeleton: 'w-32',
      cell: ({ lastTransactionAt }) =>
        lastTransactionAt === null ? (
          <span className="text-faint">{t('ops.companies.none')}</span>
        ) : (
          <Time at={lastTransactionAt} />
        ),
    },
    {
      id: 'createdAt',
      header: t('ops.companies.field.createdAt'),
      hideable: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ createdAt }) => <Time at={createdAt} dateOnly />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/companies/${id}`,
  add: { text: 'ops.companies.invite', permission: 'operator.invite' },
  empty: { icon: 'building', title: 'ops.companies.empty', text: 'ops.companies.emptyText' },
});
