import { defaultLocale, type Locale } from '@causeway/contract/locale.ts';
import { systemRoleIds, systemRoles } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { memberName } from '../../identity/index.ts';
import { findNamedRows } from '../store/affiliations.ts';
import { findDepartments } from '../store/departments.ts';
import { systemRoleName } from './people.ts';

/** What a member, role or department is called; `gone`: deleted since. */
export interface Called {
  kind: 'member' | 'role' | 'department' | 'former';
  name: string;
  gone: boolean;
}

/** Names by id of members, roles and departments of the company, deleted ones included; unknown ids have none. */
export async function findCalled(
  tx: Tx,
  ids: readonly string[],
  locale: Locale = defaultLocale,
): Promise<Map<string, Called>> {
  const called = new Map<string, Called>();
  for (const role of systemRoles) {
    const id = systemRoleIds[role];
    if (ids.includes(id)) called.set(id, { kind: 'role', name: systemRoleName(role, locale), gone: false });
  }
  if (ids.every((id) => called.has(id))) return called;
  for (const { kind, id, name, gone, ...person } of await findNamedRows(tx, [...new Set(ids)])) {
    if (called.has(id) && gone) continue;
    called.set(id, { kind, name: kind === 'member' ? memberName(person) : name, gone });
  }
  return called;
}

/** Of each department of the company, itself and those above it, the nearest first. */
export async function findDepartmentPaths(tx: Tx): Promise<Map<string, readonly string[]>> {
  const parents = new Map((await findDepartments(tx)).map(({ id, parentId }) => [id, parentId]));
  const pathOf = (id: string): string[] => {
    const parent = parents.get(id) ?? null;
    return parent === null ? [id] : [id, ...pathOf(parent)];
  };
  return new Map([...parents.keys()].map((id) => [id, pathOf(id)]));
}
