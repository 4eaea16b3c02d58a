/** What a role may allow: the leaves of the permission tree (decisions, "System roles"). */
export const permissions = [
  'wallet.view',
  'transaction.view',
  'transaction.export',
  'transfer.create',
  'exchange.create',
  'card.view',
  'card.manage',
  'payee.view',
  'payee.manage',
  'notice.view',
  'approval.view',
  'approval.decide',
  'rule.view',
  'rule.manage',
  'policy.view',
  'policy.manage',
  'list.view',
  'list.export',
  'list.manage',
  'setting.manage',
  'member.manage',
  'role.manage',
  'department.manage',
  'audit.view',
] as const;
export type Permission = (typeof permissions)[number];

/** Who has one of these can approve, or change what approving rests on: widening who has them needs a second person. */
export const controllingPermissions = [
  'approval.decide',
  'rule.manage',
  'policy.manage',
  'list.manage',
  'setting.manage',
  'member.manage',
  'role.manage',
] as const satisfies readonly Permission[];
export type ControllingPermission = (typeof controllingPermissions)[number];

/** The tree that a role's form shows: menus as the console's menu groups them, and what may be done under each. */
export const permissionTree = [
  { menu: 'home', entries: [{ menu: 'notices', permissions: ['notice.view'] }] },
  {
    menu: 'wallet',
    entries: [
      { menu: 'walletList', permissions: ['wallet.view', 'transfer.create', 'exchange.create'] },
      { menu: 'transaction', permissions: ['transaction.view', 'transaction.export'] },
      { menu: 'card', permissions: ['card.view', 'card.manage'] },
    ],
  },
  { menu: 'approval', entries: [{ menu: 'tasks', permissions: ['approval.view', 'approval.decide'] }] },
  {
    menu: 'management',
    entries: [
      { menu: 'payee', permissions: ['payee.view', 'payee.manage'] },
      { menu: 'structure', permissions: ['department.manage'] },
      { menu: 'members', permissions: ['member.manage'] },
      { menu: 'roles', permissions: ['role.manage'] },
      {
        menu: 'risk',
        permissions: [
          'rule.view',
          'rule.manage',
          'policy.view',
          'policy.manage',
          'list.view',
          'list.export',
          'list.manage',
          'setting.manage',
        ],
      },
      { menu: 'audit', permissions: ['audit.view'] },
    ],
  },
] as const satisfies readonly {
  menu: string;
  entries: readonly { menu: string; permissions: readonly Permission[] }[];
}[];

/** What a permission is of no use without: granting the first grants the second as well. */
export const impliedPermissions: Partial<Record<Permission, readonly Permission[]>> = {
  'transfer.create': ['wallet.view', 'transaction.view', 'payee.view'],
  'exchange.create': ['wallet.view', 'transaction.view'],
  'transaction.export': ['transaction.view'],
  'card.manage': ['card.view', 'wallet.view'],
  'payee.manage': ['payee.view'],
  'approval.decide': ['approval.view'],
  'rule.manage': ['rule.view'],
  'policy.manage': ['policy.view'],
  'list.export': ['list.view'],
  'list.manage': ['list.view'],
};

export const systemRoles = ['administrator', 'finance', 'approver', 'viewer'] as const;
export type SystemRole = (typeof systemRoles)[number];

/** The system roles' ids are the same in every company: they belong to the program, and no table holds them. */
export const systemRoleIds: Record<SystemRole, string> = {
  administrator: '00000000-0000-7000-8000-000000000001',
  finance: '00000000-0000-7000-8000-000000000002',
  approver: '00000000-0000-7000-8000-000000000003',
  viewer: '00000000-0000-7000-8000-000000000004',
};

/** Which system role an id is; null for a role of a company's own. */
export function systemRoleOf(roleId: string): SystemRole | null {
  return systemRoles.find((role) => systemRoleIds[role] === roleId) ?? null;
}

/** The permissions given and those they imply, in the order of the list; names it does not know are left out. */
export function withImplied(given: readonly string[]): Permission[] {
  const all = new Set<string>(given);
  for (const name of permissions)
    if (all.has(name)) for (const implied of impliedPermissions[name] ?? []) all.add(implied);
  return permissions.filter((name) => all.has(name));
}

const viewing = ['wallet.view', 'transaction.view', 'card.view', 'payee.view', 'notice.view', 'approval.view'] as const;
const viewingControls = ['rule.view', 'policy.view', 'list.view'] as const;

/** The table of decisions, "System roles", as data. */
export const systemRolePermissions: Record<SystemRole, readonly Permission[]> = {
  administrator: permissions,
  finance: [
    ...viewing,
    'transaction.export',
    'payee.manage',
    'transfer.create',
    'exchange.create',
    'card.manage',
    ...viewingControls,
    'list.export',
  ],
  approver: [...viewing, 'approval.decide', ...viewingControls],
  viewer: viewing,
};
