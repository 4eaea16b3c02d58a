import type { Menu } from '../shell/menu.ts';

/** The operator's menu: what exists, for those who may. */
export const menu: Menu = {
  home: { label: 'app.menu.home', icon: 'home', path: '/app/home' },
  groups: [
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
        { label: 'ops.title.staff', icon: 'people', path: '/app/staff', permission: 'operator.view' },
        { label: 'app.title.audit', icon: 'file', path: '/app/audit-log', permission: 'operator.audit' },
      ],
    },
  ],
  more: [{ label: 'ops.title.account', icon: 'user', path: '/app/account' }],
};
