import type { Menu } from '../shell/menu.ts';

/** The operator's menu: what exists, for those who may. */
export const menu: Menu = {
  home: { label: 'app.menu.home', icon: 'home', path: '/app/home' },
  groups: [
    {
      key: 'companies',
      label: 'ops.menu.companies',
      icon: 'building',
      entries: [
        { label: 'ops.title.companies', icon: 'building', path: '/app/companies', permission: 'operator.view' },
        { label: 'ops.title.payments', icon: 'list', path: '/app/payments', permission: 'operator.view' },
        { label: 'ops.title.trades', icon: 'exchange', path: '/app/trades', permission: 'operator.view' },
        { label: 'ops.title.exceptions', icon: 'warning', path: '/app/exceptions', permission: 'operator.view' },
        { label: 'ops.title.invitations', icon: 'plus', path: '/app/invitations', permission: 'operator.view' },
      ],
    },
    {
      key: 'offer',
      label: 'ops.menu.offer',
      icon: 'exchange',
      entries: [
        { label: 'ops.title.prices', icon: 'exchange', path: '/app/prices', permission: 'operator.view' },
        { label: 'ops.title.assets', icon: 'tree', path: '/app/assets', permission: 'operator.view' },
        { label: 'ops.title.announcements', icon: 'bell', path: '/app/announcements', permission: 'operator.view' },
      ],
    },
    {
      key: 'money',
      label: 'ops.menu.money',
      icon: 'wallet',
      entries: [
        { label: 'ops.title.treasury', icon: 'wallet', path: '/app/treasury', permission: 'operator.view' },
        { label: 'ops.title.exchange', icon: 'exchange', path: '/app/exchange', permission: 'operator.view' },
        { label: 'ops.title.desk', icon: 'clock', path: '/app/desk', permission: 'operator.view' },
        { label: 'ops.title.banks', icon: 'building', path: '/app/banks', permission: 'operator.view' },
        { label: 'ops.title.solvency', icon: 'shield', path: '/app/solvency', permission: 'operator.view' },
      ],
    },
    {
      key: 'operation',
      label: 'ops.menu.operation',
      icon: 'settings',
      entries: [
        {
          label: 'ops.title.confirmations',
          icon: 'approval',
          path: '/app/confirmations',
          permission: 'operator.view',
        },
        { label: 'ops.title.health', icon: 'storm', path: '/app/health', permission: 'operator.view' },
        { label: 'ops.title.staff', icon: 'people', path: '/app/staff', permission: 'operator.view' },
        { label: 'app.title.audit', icon: 'file', path: '/app/audit-log', permission: 'operator.audit' },
      ],
    },
  ],
};
