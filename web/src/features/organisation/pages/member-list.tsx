import { Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { PendingChanges } from '../../control/index.ts';
import { useChoices, useMembers } from '../api.ts';
import { memberColumns } from '../components/member-columns.tsx';
import { type MemberFilter, memberFilters, memberQuery, withoutDepartment } from '../member-query.ts';
import { departmentPath, memberKinds, statusWords } from '../words.ts';

/** Everybody of the company, searched, filtered, paged; each opens beside the list (specification, sections 2 and 6). */
export function Page() {
  const t = useText();
  const list = useListState(memberFilters);
  const search = useLocation({ select: (location) => location.searchStr });
  const members = useMembers(memberQuery(list));
  const columns = useMemo(() => memberColumns(t), [t]);
  const filters = useFilters();
  const mayManage = usePermission('member.manage');
  return (
    <Frame>
      <PendingChanges kinds={memberKinds} />
      <DataTable
        label={t('organisation.members.list')}
        name="members"
        columns={columns}
        {...tableOf(members, list)}
        rowId={(member) => member.id}
        rowHref={(member) => `/app/member-management/${member.id}${search}`}
        sort={list.sort}
        onSort={list.setSort}
        toolbar={
          <FilterBar
            filters={filters}
            state={list}
            {...(mayManage && {
              actions: (
                <PlainLink href={`/app/member-management/add${search}`} className={buttonClass('primary')}>
                  <Icon name="plus" />
                  {t('organisation.member.add')}
                </PlainLink>
              ),
            })}
          />
        }
        empty={<NoMembers list={list} />}
      />
      <Outlet />
    </Frame>
  );
}

/** Whoever reads this is a member, so that a list without filters is never empty. */
function NoMembers({ list }: { list: ListState<MemberFilter> }) {
  const t = useText();
  return (
    <EmptyState
      icon="search"
      title={t('organisation.members.noMatch')}
      text={t('organisation.members.noMatchText')}
      action={<Button onClick={list.clear}>{t('organisation.clear')}</Button>}
    />
  );
}

function useFilters(): Filter<MemberFilter>[] {
  const t = useText();
  const choices = useChoices().data;
  return useMemo(() => {
    const departments = choices?.departments ?? [];
    return [
      {
        kind: 'search',
        name: 'keyword',
        label: t('organisation.members.search'),
        placeholder: t('organisation.members.search'),
      },
      {
        kind: 'choice',
        name: 'status',
        label: t('organisation.field.status'),
        options: Object.entries(statusWords).map(([value, { text }]) => ({ value, label: t(text) })),
      },
      {
        kind: 'choice',
        name: 'role',
        label: t('organisation.field.role'),
        options: (choices?.roles ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        kind: 'choice',
        name: 'department',
        label: t('organisation.field.department'),
        options: [
          { value: withoutDepartment, label: t('organisation.unassigned') },
          ...departments.map(({ id }) => ({ value: id, label: departmentPath(departments, id) })),
        ],
      },
    ];
  }, [t, choices]);
}
