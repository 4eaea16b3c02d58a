import type { Menu, MenuEntry, MenuGroup } from '../shell/menu.ts';

const homeEntry: MenuEntry = { label: 'app.menu.home', icon: 'home', path: '/app/home' };

/** The menu (decisions, "Screens"): the same for every role, but for what only those who run the company have a use for. */
const menuGroups: readonly MenuGroup[] = [
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
      { label: 'app.menu.webhooks', icon: 'upload', path: '/app/webhooks', permission: 'setting.manage' },
      { label: 'app.title.audit', icon: 'file', path: '/app/audit-log', permission: 'audit.view' },
    ],
  },
];

/** The companies' menu. */
export const menu: Menu = { home: homeEntry, groups: menuGroups };
