import type { AnyPermission } from '../lib/permission.ts';
import type { IconName } from '../ui/icon.tsx';

export interface MenuEntry {
  /** Text id. */
  label: string;
  icon: IconName;
  path: string;
  /** Offered only to those who have it; the entries that the menu has for every role (decisions, "Screens") have none. */
  permission?: AnyPermission;
}

export interface MenuGroup {
  key: string;
  label: string;
  icon: IconName;
  entries: readonly MenuEntry[];
}

/** The menu of a console as data. */
export interface Menu {
  home: MenuEntry;
  groups: readonly MenuGroup[];
}

/** Whether an entry is offered to someone with these permissions; before they are known, those that everybody has. */
export function isOffered({ permission }: MenuEntry, permissions: readonly AnyPermission[] | undefined): boolean {
  return permission === undefined || permissions?.includes(permission) === true;
}

/** The entry whose address is the longest beginning of `path`: /app/wallet/recharge belongs to the wallet list. */
export function entryOf({ home, groups }: Menu, path: string): MenuEntry | undefined {
  return [home, ...groups.flatMap((group) => group.entries)]
    .filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}
