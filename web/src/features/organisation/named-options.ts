import { listPeople } from 'virtual:calls/organisation';
import { useMemo } from 'react';
import { invalidateOn } from '../../lib/live.ts';
import { useText } from '../../lib/locale.tsx';
import { useCall } from '../../lib/queries.ts';
import type { Option } from '../../ui/select-field.tsx';
import type { Choices } from './api.ts';

/** Members, departments and roles as policies and rules name them. */
export interface NamedOptions {
  members: readonly Option[];
  /** Each with those above it: two departments may have one name. */
  departments: readonly Option[];
  roles: readonly Option[];
}

// The pages of this feature may not have been opened yet.
invalidateOn(['organisation'], [listPeople]);

const none: NamedOptions = { members: [], departments: [], roles: [] };

/** What forms of other features choose from; empty until it is there. */
export function useNamedOptions(): NamedOptions {
  const t = useText();
  const { data } = useCall(listPeople, {}, { quiet: true });
  return useMemo(() => {
    if (!data) return none;
    return {
      members: data.people.map(({ id, name, roleName, status }) => ({
        value: id,
        label: name,
        detail: status === 'active' ? roleName : `${roleName} · ${t(`organisation.status.${status}`)}`,
      })),
      departments: pathsOf(data.departments),
      roles: data.roles.map(({ id, name, active }) => ({
        value: id,
        label: name,
        detail: active ? undefined : t('organisation.role.inactive'),
      })),
    };
  }, [data, t]);
}

type Department = Choices['departments'][number];

function pathsOf(departments: readonly Department[]): Option[] {
  const byId = new Map(departments.map((each) => [each.id, each]));
  const pathOf = ({ name, parentId }: Department): string => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent ? `${pathOf(parent)} › ${name}` : name;
  };
  return departments
    .map((each) => ({ value: each.id, label: pathOf(each) }))
    .sort((one, other) => one.label.localeCompare(other.label));
}
