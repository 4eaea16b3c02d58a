import type { Permission } from '@causeway/contract/permission.ts';
import type { IconName } from '../ui/icon.tsx';

export interface MenuEntry {
  /** Text id. */
  label: string;
  icon: IconName;
  path: string;
  /** Offered only to those who have it; the entries that the menu has for every role (decisions, "Screens") have none. */
  permission?: Permission;
  /** Its feature is not built yet, which the entry says: its page says nothing more. */
  planned?: boolean;
}

export interface MenuGroup {
  key: string;
  label: string;
  icon: IconName;
  entries: readonly MenuEntry[];
}

export const homeEntry: MenuEntry = { label: 'app.menu.home', icon: 'home', path: '/app/home' };

/** The menu (decisions, "Screens"): the same for every role, but for what only those who run the company have a use for. */
export const menuGroups: readonly MenuGroup[] = [
  {
    key: 'wallet',
    label: 'app.menu.wallet',
    icon: 'wallet',
    entries: [
      { label: 'app.menu.walletList', icon: 'wallet', path: '/app/wallet' },
      { label: 'app.menu.creditCard', icon: 'card', path: '/app/wallet/credit-card', planned: true },
      { label: 'app.menu.payment', icon: 'payment', path: '/app/payment', planned: true },
      { label: 'app.menu.storm', icon: 'storm', path: '/app/storm', planned: true },
      { label: 'app.menu.transaction', icon: 'list', path: '/app/transaction' },
      { label: 'app.menu.uCollection', icon: 'collect', path: '/app/u-collection', planned: true },
      { label: 'app.menu.otc', icon: 'exchange', path: '/app/otc', planned: true },
    ],
  },
  {
    key: 'approval',
    label: 'app.menu.approval',
    icon: 'approval',
    entries: [
      { label: 'app.menu.initiated', icon: 'upload', path: '/app/i-initiated-approval' },
      { label: 'app.menu.pending', icon: 'clock', path: '/app/pending-approval' },
      { label: 'app.menu.completed', icon: 'check', path: '/app/approved' },
      { label: 'app.menu.allApprovals', icon: 'list', path: '/app/approval', permission: 'rule.manage' },
    ],
  },
  {
    key: 'management',
    label: 'app.menu.management',
    icon: 'settings',
    entries: [
      { label: 'app.menu.payee', icon: 'user', path: '/app/payee' },
      { label: 'app.menu.structure', icon: 'tree', path: '/app/structure-management' },
      { label: 'app.menu.members', icon: 'people', path: '/app/member-management' },
      { label: 'app.menu.roles', icon: 'approval', path: '/app/role-management' },
      { label: 'app.menu.risk', icon: 'shield', path: '/app/risk-setting' },
      { label: 'app.menu.company', icon: 'building', path: '/app/company-settings', permission: 'setting.manage' },
      { label: 'app.title.audit', icon: 'file', path: '/app/audit-log', permission: 'audit.view' },
    ],
  },
];

/** Pages that are reached from others and not from the menu; the palette knows them. */
export const morePages: readonly MenuEntry[] = [
  { label: 'app.title.transferOut', icon: 'arrowUp', path: '/app/transfer-out' },
  { label: 'app.title.recharge', icon: 'arrowDown', path: '/app/wallet/recharge' },
  { label: 'app.title.statement', icon: 'file', path: '/app/wallet/statement', permission: 'transaction.export' },
  { label: 'app.title.exchange', icon: 'exchange', path: '/app/wallet/exchange', planned: true },
  { label: 'app.title.tradego', icon: 'shield', path: '/app/wallet/tradego', planned: true },
  { label: 'app.title.payeeAdd', icon: 'plus', path: '/app/payee/add' },
  { label: 'app.title.notices', icon: 'bell', path: '/app/notice-center' },
  { label: 'app.title.security', icon: 'settings', path: '/app/account' },
];

/** Whether an entry is offered to someone with these permissions; before they are known, those that everybody has. */
export function isOffered({ permission }: MenuEntry, permissions: readonly Permission[] | undefined): boolean {
  return permission === undefined || permissions?.includes(permission) === true;
}

const entries = [homeEntry, ...menuGroups.flatMap((group) => group.entries)];

/** The entry whose address is the longest beginning of `path`: /app/wallet/recharge belongs to the wallet list. */
export function entryOf(path: string): MenuEntry | undefined {
  return entries
    .filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}
