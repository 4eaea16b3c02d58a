import { type ReactNode, useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import type { DepartmentPerson } from '../api.ts';
import { MemberStatusWord } from './member-status.tsx';

interface Props {
  label: string;
  people: readonly DepartmentPerson[];
  empty: ReactNode;
  toolbar?: ReactNode;
  selected?: ReadonlySet<string>;
  onSelect?: (ids: ReadonlySet<string>) => void;
}

/** People of a department: each leads to the member for those who may see members. */
export function PeopleTable({ label, people, empty, toolbar, selected, onSelect }: Props) {
  const t = useText();
  const maySee = usePermission('member.manage');
  const columns = useMemo(() => peopleColumns(t), [t]);
  return (
    <div className="[&>section]:rounded-none [&>section]:border-0">
      <DataTable
        label={label}
        columns={columns}
        rows={people}
        rowId={(person) => person.id}
        empty={empty}
        {...(maySee && { rowHref: (person: DepartmentPerson) => `/app/member-management/${person.id}` })}
        {...(toolbar !== undefined && { toolbar })}
        {...(selected && onSelect && people.length > 0 && { selected, onSelect })}
      />
    </div>
  );
}

function peopleColumns(t: Translate): Column<DepartmentPerson>[] {
  return [
    {
      id: 'name',
      header: t('organisation.field.name'),
      card: 'title',
      sort: (person) => person.name,
      cell: (person) => (
        <span className="flex flex-col">
          <span className="inline-flex flex-wrap items-center gap-x-2 font-medium">
            <span className="break-words">{person.name}</span>
            {person.onLeave && <Tag tone="notice">{t('organisation.member.onLeave')}</Tag>}
          </span>
          {person.email !== person.name && <span className="text-12 break-all text-faint">{person.email}</span>}
        </span>
      ),
    },
    {
      id: 'role',
      header: t('organisation.field.role'),
      sort: (person) => person.role.name,
      cell: (person) => person.role.name,
    },
    {
      id: 'status',
      header: t('organisation.field.status'),
      sort: (person) => person.status,
      cell: (person) => <MemberStatusWord status={person.status} />,
    },
  ];
}
