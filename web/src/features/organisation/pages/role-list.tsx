import { Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot, Tag } from '../../../ui/status-dot.tsx';
import { type Role, useRoles } from '../api.ts';
import { keywordMaxLength } from '../member-query.ts';
import { authorityText } from '../words.ts';

const filterNames = ['keyword', 'active'] as const;

/** The system roles, then the company's own; each opens beside the list (specification, sections 2 and 6). */
export function Page() {
  const t = useText();
  const tag = useLocaleTag();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const { keyword, active } = list.filters;
  const roles = useRoles({
    ...(keyword !== undefined && { keyword: keyword.slice(0, keywordMaxLength) }),
    ...((active === 'true' || active === 'false') && { active }),
  });
  const columns = useMemo(() => roleColumns(t, tag), [t, tag]);
  const filters = useMemo(() => filtersOf(t), [t]);
  const mayManage = usePermission('role.manage');
  return (
    <Frame>
      <DataTable
        label={t('organisation.roles.list')}
        name="roles"
        columns={columns}
        rows={roles.data}
        rowId={(role) => role.id}
        rowHref={(role) => `/app/role-management/${role.id}${search}`}
        updating={roles.isPlaceholderData}
        error={roles.error}
        onRetry={() => void roles.refetch()}
        skeletonRows={4}
        toolbar={
          <FilterBar
            filters={filters}
            state={list}
            {...(mayManage && {
              actions: (
                <PlainLink href={`/app/role-management/add${search}`} className={buttonClass('primary')}>
                  <Icon name="plus" />
                  {t('organisation.role.add')}
                </PlainLink>
              ),
            })}
          />
        }
        empty={
          <EmptyState
            icon="search"
            title={t('organisation.roles.noMatch')}
            text={t('organisation.roles.noMatchText')}
            action={<Button onClick={list.clear}>{t('organisation.clear')}</Button>}
          />
        }
      />
      <Outlet />
    </Frame>
  );
}

function filtersOf(t: Translate): Filter<(typeof filterNames)[number]>[] {
  return [
    {
      kind: 'search',
      name: 'keyword',
      label: t('organisation.roles.search'),
      placeholder: t('organisation.roles.search'),
    },
    {
      kind: 'choice',
      name: 'active',
      label: t('organisation.field.status'),
      options: [
        { value: 'true', label: t('organisation.role.active') },
        { value: 'false', label: t('organisation.role.inactive') },
      ],
    },
  ];
}

function roleColumns(t: Translate, tag: string): Column<Role>[] {
  return [
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
  ];
}
