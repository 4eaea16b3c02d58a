import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { CompanyFile } from '../api.ts';

type Person = CompanyFile['people'][number];

/** The company's members. */
export function PeopleSection({ company: { people } }: { company: CompanyFile }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('ops.companies.section.people')}
      name="operator-company-people"
      columns={columns}
      rows={people}
      rowId={({ id }) => id}
      empty={<EmptyState icon="people" title={t('ops.companies.peopleEmpty')} />}
    />
  );
}

function columnsOf(t: Translate): Column<Person>[] {
  return [
    {
      id: 'name',
      header: t('ops.companies.field.name'),
      card: 'title',
      sort: ({ name }) => name,
      width: '30%',
      cell: ({ name, email }) => (
        <span className="flex min-w-0 flex-col">
          <span className="font-medium break-words">{name === '' ? email : name}</span>
          {name !== '' && <span className="text-12 break-all text-faint">{email}</span>}
        </span>
      ),
    },
    {
      id: 'identifier',
      header: t('ops.companies.field.identifier'),
      hideable: true,
      cell: ({ identifier }) => <span className="font-mono text-12">{identifier}</span>,
    },
    { id: 'role', header: t('ops.companies.field.role'), sort: ({ role }) => role, cell: ({ role }) => role },
    {
      id: 'department',
      header: t('ops.companies.field.department'),
      sort: ({ department }) => department,
      hideable: true,
      cell: ({ department }) => department ?? <span className="text-faint">{t('ops.companies.none')}</span>,
    },
    {
      id: 'lastSignInAt',
      header: t('ops.companies.field.lastSignIn'),
      sort: ({ lastSignInAt }) => lastSignInAt,
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? <span className="text-faint">{t('ops.never')}</span> : <Time at={lastSignInAt} />,
    },
    {
      id: 'state',
      header: t('ops.companies.field.state'),
      card: 'status',
      cell: ({ disabled }) => (
        <StatusDot tone={disabled ? 'neutral' : 'positive'}>
          {t(disabled ? 'ops.companies.person.disabled' : 'ops.companies.person.active')}
        </StatusDot>
      ),
    },
  ];
}
