import type { OutputInput } from '@causeway/contract/call.ts';
import type { getMenuGroups, listPeople } from '@causeway/contract/organisation.ts';
import { impliedPermissions, type Permission, permissionTree, systemRoleOf } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findDepartments } from '../store/departments.ts';
import { findPeople, findRoleNames } from './people.ts';

/** What forms let people choose from. */

/** Who works with departments: forms and filters of others have no use for the structure of the company. */
const departmentReaders: readonly Permission[] = ['department.manage', 'member.manage'];

/** People, roles and departments by name; nothing that only those who manage them may know. */
export async function listChoices(
  tx: Tx,
  { locale, session }: SignedInContext,
): Promise<OutputInput<typeof listPeople>> {
  const people = await findPeople(tx, undefined, locale);
  const roles = await findRoleNames(tx, locale);
  const maySeeDepartments = departmentReaders.some((permission) => session.permissions.includes(permission));
  const departments = maySeeDepartments ? await findDepartments(tx) : [];
  return {
    people: people
      .map(({ id, name, roleId, roleName, status, onLeave }) => ({ id, name, roleId, roleName, status, onLeave }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    roles: [...roles].map(([id, { name, active }]) => ({ id, name, active, system: systemRoleOf(id) })),
    departments: departments.map(({ id, name, parentId }) => ({ id, name, parentId })),
  };
}

/** The permission tree in the reader's language. */
export async function menuGroups({ session, locale }: SignedInContext): Promise<OutputInput<typeof getMenuGroups>> {
  return permissionTree.map(({ menu, entries }) => ({
    menu,
    name: translate(locale, `menu.${menu}`),
    entries: entries.map((entry) => ({
      menu: entry.menu,
      name: translate(locale, `menu.${entry.menu}`),
      permissions: entry.permissions.map((permission) => ({
        permission,
        name: translate(locale, `permission.${permission}`),
        implies: [...(impliedPermissions[permission] ?? [])],
        grantable: session.permissions.includes(permission),
      })),
    })),
  }));
}
