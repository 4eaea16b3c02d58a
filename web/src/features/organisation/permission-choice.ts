import { impliedPermissions, type Permission, permissions } from '@causeway/contract/permission.ts';
import type { CheckNode } from '../../ui/check-tree-model.ts';
import type { MenuGroups } from './api.ts';

/** What a role with these permissions allows: with all that they imply, in the order of the catalogue. */
export function effective(chosen: ReadonlySet<string>): Permission[] {
  const all = new Set(chosen);
  for (const permission of permissions) {
    if (all.has(permission)) for (const given of impliedPermissions[permission] ?? []) all.add(given);
  }
  return permissions.filter((permission) => all.has(permission));
}

/** Which of the chosen permissions gives this one along; undefined when none does. */
function giverOf(permission: Permission, chosen: ReadonlySet<string>): Permission | undefined {
  return permissions.find((other) => chosen.has(other) && impliedPermissions[other]?.includes(permission));
}

interface Reasons {
  /** Given along with another, which is named. */
  implied: (by: string) => string;
  /** The reader does not have it, and so can neither give nor take it. */
  beyond: string;
}

/** The permission tree of a role's form: menus, their entries, what may be done under each, and why a box is locked; without reasons none is. */
export function permissionNodes(groups: MenuGroups, chosen: ReadonlySet<string>, reasons?: Reasons): CheckNode[] {
  const names = new Map(
    groups.flatMap(({ entries }) =>
      entries.flatMap(({ permissions: of }) => of.map((one) => [one.permission, one.name])),
    ),
  );
  return groups.map((group) => ({
    id: `group:${group.menu}`,
    label: group.name,
    children: group.entries.map((entry) => ({
      id: `entry:${entry.menu}`,
      label: entry.name,
      children: entry.permissions.map(({ permission, name, grantable }) => {
        const giver = giverOf(permission, chosen);
        const locked =
          giver !== undefined ? reasons?.implied(names.get(giver) ?? giver) : grantable ? undefined : reasons?.beyond;
        return { id: permission, label: name, locked };
      }),
    })),
  }));
}
