import type { Permission } from '@causeway/contract/permission.ts';
import type { IconName } from '../ui/icon.tsx';

export interface MenuEntry {
  /** Text id. */
  label: string;
  icon: IconName;
  path: string;
  /** Offered only to those who have it; an entry of the menu has none, since the menu is the same for every role. */
  permission?: Permission;
}

export interface MenuGroup {
  key: string;
  label: string;
  icon: IconName;
  entries: readonly MenuEntry[];
}

export const homeEntry: MenuEntry = { label: 'app.menu.home', icon: 'home', path: '/app/home' };

/** The menu (decisions, "Screens"): the same for every role. */
export const menuGroups: readonly MenuGroup[] = [
  {
    key: 'wallet',
    label: 'app.menu.wallet',
    icon: 'wallet',
    entries: [
      { label: 'app.menu.walletList', icon: 'wallet', path: '/app/wallet' },
      { label: 'app.menu.creditCard', icon: 'card', path: '/app/wallet/credit-card' },
      { label: 'app.menu.payment', icon: 'payment', path: '/app/payment' },
      { label: 'app.menu.storm', icon: 'storm', path: '/app/storm' },
      { label: 'app.menu.transaction', icon: 'list', path: '/app/transaction' },
      { label: 'app.menu.uCollection', icon: 'collect', path: '/app/u-collection' },
      { label: 'app.menu.otc', icon: 'exchange', path: '/app/otc' },
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
    ],
  },
  {
    key: 'management',
    label: 'app.menu.management',
    icon: 'settings',
    entries: [
      { label: 'app.menu.payee', icon: 'user', path: '/app/payee' },
      { label: 'app.menu.structure', icon: 'columns', path: '/app/structure-management' },
      { label: 'app.menu.members', icon: 'people', path: '/app/member-management' },
      { label: 'app.menu.roles', icon: 'approval', path: '/app/role-management' },
      { label: 'app.menu.risk', icon: 'shield', path: '/app/risk-setting' },
    ],
  },
];

/** Pages that are reached from others and not from the menu; the palette knows them. */
export const morePages: readonly MenuEntry[] = [
  { label: 'app.title.transferOut', icon: 'arrowUp', path: '/app/transfer-out' },
  { label: 'app.title.recharge', icon: 'arrowDown', path: '/app/wallet/recharge' },
  { label: 'app.title.statement', icon: 'file', path: '/app/wallet/statement', permission: 'transaction.export' },
  { label: 'app.title.exchange', icon: 'exchange', path: '/app/wallet/exchange' },
  { label: 'app.title.tradego', icon: 'shield', path: '/app/wallet/tradego' },
  { label: 'app.title.payeeAdd', icon: 'plus', path: '/app/payee/add' },
  { label: 'app.title.notices', icon: 'bell', path: '/app/notice-center' },
  { label: 'app.title.security', icon: 'settings', path: '/app/account' },
  { label: 'app.title.audit', icon: 'shield', path: '/app/audit-log', permission: 'audit.view' },
];

const entries = [homeEntry, ...menuGroups.flatMap((group) => group.entries)];

/** The entry whose address is the longest beginning of `path`: /app/wallet/recharge belongs to the wallet list. */
export function entryOf(path: string): MenuEntry | undefined {
  return entries
    .filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}
