import * as calls from '@causeway/contract/organisation.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { newId } from '../platform/ids.ts';
import type { MainApp, OwnRole, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** For every call of organisation a request that succeeds, and what tests of members, roles and departments begin with. */
export const organisationRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listMembers: async (world, tenant) => {
    const departmentId = await department(world, tenant);
    const { id: roleId } = await role(world, tenant);
    const id = await member(world, tenant, { departmentId, roleId });
    return { as: tenant.admin, query: { id, departmentId, roleId } };
  },
  addMember: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: newId(), ...(await memberForm(world, tenant)), roleId: (await role(world, tenant)).id },
  }),
  editMember: async (world, tenant) => {
    const id = await member(world, tenant);
    return {
      as: tenant.admin,
      body: { id, ...(await memberForm(world, tenant)), roleId: (await role(world, tenant)).id },
    };
  },
  deleteMember: async (world, tenant) => ({ as: tenant.admin, body: { id: await member(world, tenant) } }),
  setMemberStatus: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await member(world, tenant), enabled: false },
  }),
  setMemberLeave: async (world, tenant) => {
    const { userId: deputyId } = (await world.member(tenant, 'approver')).session;
    return { as: tenant.admin, body: { id: await member(world, tenant), onLeave: true, deputyId } };
  },
  resetMemberPassword: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await world.member(tenant, 'viewer')).session.userId },
  }),
  sendActivation: async (world, tenant) => ({ as: tenant.admin, body: { id: await member(world, tenant) } }),
  getMemberImpact: async (world, tenant) => ({ as: tenant.admin, query: { id: await member(world, tenant) } }),
  listPeople: async (_, { admin }) => ({ as: admin }),
  listDepartments: async (world, tenant) => {
    await department(world, tenant);
    return { as: tenant.admin };
  },
  addDepartment: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: newId(), name: `Treasury ${newId()}`, parentId: await department(world, tenant) },
  }),
  editDepartment: async (world, tenant) => {
    const [id, parentId] = [await department(world, tenant), await department(world, tenant)];
    return { as: tenant.admin, body: { id, name: `Treasury ${newId()}`, parentId, position: 0 } };
  },
  deleteDepartment: async (world, tenant) => ({ as: tenant.admin, params: { id: await department(world, tenant) } }),
  addDepartmentMembers: async (world, tenant) => ({
    as: tenant.admin,
    body: {
      departmentId: await department(world, tenant),
      memberIds: [(await world.member(tenant, 'viewer')).session.userId],
    },
  }),
  removeDepartmentMembers: async (world, tenant) => {
    const departmentId = await department(world, tenant);
    return { as: tenant.admin, body: { departmentId, memberIds: [await member(world, tenant, { departmentId })] } };
  },
  listRoles: async (world, tenant) => {
    await role(world, tenant);
    return { as: tenant.admin };
  },
  addRole: async (_, { admin }) => ({ as: admin, body: { id: newId(), ...roleForm() } }),
  editRole: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await role(world, tenant)).id, ...roleForm(['payee.view']) },
  }),
  deleteRole: async (world, tenant) => ({ as: tenant.admin, body: { id: (await role(world, tenant)).id } }),
  copyRole: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await role(world, tenant)).id, newId: newId(), name: `Copy ${newId()}` },
  }),
  getRoleMenus: async (world, tenant) => ({ as: tenant.admin, query: { id: (await role(world, tenant)).id } }),
  getMenuGroups: async (_, { admin }) => ({ as: admin }),
  getCompanySettings: async (_, { admin }) => ({ as: admin }),
  setCompanySettings: async (_, { admin }) => ({
    as: admin,
    body: { timeZone: 'Europe/London', codeRecipient: 'initiator' },
  }),
};

/** A new department at the top; its id. */
export async function department(world: MainApp, tenant: Tenant, parentId: string | null = null): Promise<string> {
  const body = { name: `Treasury ${newId()}`, parentId };
  return (await succeed(world, calls.addDepartment, { as: tenant.admin, body })).data.id;
}

/** A new role of the company's own. */
export async function role(
  world: MainApp,
  tenant: Tenant,
  permissions: readonly Permission[] = ['payee.manage'],
  quotaUsd: string | null = '10000.00',
): Promise<OwnRole> {
  const body = { ...roleForm(permissions), quotaUsd };
  const { data } = await succeed(world, calls.addRole, { as: tenant.admin, body });
  return { id: data.id, permissions: data.permissions };
}

export function roleForm(permissions: readonly Permission[] = ['payee.manage']) {
  return { name: `Clerk ${newId()}`, quotaUsd: '10000', permissions, active: true };
}

/** What a member's form holds: a viewer, in a new department unless one is given. */
export async function memberForm(world: MainApp, tenant: Tenant, departmentId?: string) {
  return {
    firstName: 'Mei-Ling',
    lastName: 'O\u2019Connor',
    roleId: systemRoleIds.viewer as string,
    departmentId: departmentId ?? (await department(world, tenant)),
    mobileCountryCode: '852',
    mobile: '91234567',
    email: `${newId()}@example.com`,
  };
}

/** An invited member without a password; returns the id. */
export async function member(
  world: MainApp,
  tenant: Tenant,
  given: Partial<Awaited<ReturnType<typeof memberForm>>> = {},
): Promise<string> {
  const body = { ...(await memberForm(world, tenant, given.departmentId)), ...given };
  return (await succeed(world, calls.addMember, { as: tenant.admin, body })).data.id;
}

/** The token of the link that was mailed to an invited member. */
export async function invitation(world: MainApp, tenant: Tenant): Promise<string> {
  await member(world, tenant);
  return world.takeLink();
}
