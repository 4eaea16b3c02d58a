/** What a role may allow (decisions, "System roles"). The whole permission tree with menus comes with organisation. */
export const permissions = [
  'wallet.view',
  'transaction.view',
  'payee.view',
  'payee.manage',
  'notice.view',
  'transfer.create',
  'approval.view',
  'approval.decide',
  'control.view',
  'control.manage',
  'organisation.manage',
  'audit.view',
] as const;
export type Permission = (typeof permissions)[number];

export const systemRoles = ['administrator', 'finance', 'approver', 'viewer'] as const;
export type SystemRole = (typeof systemRoles)[number];

const viewing = ['wallet.view', 'transaction.view', 'payee.view', 'notice.view', 'approval.view'] as const;

/** The table of system roles in the decisions page, read as data. */
export const systemRolePermissions: Record<SystemRole, readonly Permission[]> = {
  administrator: permissions,
  finance: [...viewing, 'payee.manage', 'transfer.create', 'control.view'],
  approver: [...viewing, 'approval.decide', 'control.view'],
  viewer: viewing,
};
