import * as identity from '@causeway/contract/identity.ts';
import * as calls from '@causeway/contract/organisation.ts';
import { permissions, systemRoleIds, systemRolePermissions } from '@causeway/contract/permission.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { member, role, roleForm } from '../../testing/organisation.ts';
import { succeed } from '../../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
let as: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  as = tenant.admin;
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const add = (given: object, by: Member = as) => world.ask(calls.addRole, { as: by, body: { ...roleForm(), ...given } });
const edit = (id: string, given: object, by: Member = as) =>
  world.ask(calls.editRole, { as: by, body: { id, ...roleForm(), ...given } });

describe('a role', () => {
  test('is kept with what its permissions imply, and its amount to the cent', async () => {
    const { data } = await add({ name: ' Night  shift ', quotaUsd: '0012500.5', permissions: ['approval.decide'] });
    expect(data).toMatchObject({
      name: 'Night shift',
      system: null,
      quotaUsd: '12500.50',
      permissions: ['approval.view', 'approval.decide'],
      active: true,
      memberCount: 0,
    });
    expect((await add({ quotaUsd: null })).data.quotaUsd).toBeNull();
    const { data: menus } = await succeed(world, calls.getRoleMenus, { as, query: { id: data.id } });
    expect(menus).toEqual({ roleId: data.id, permissions: ['approval.view', 'approval.decide'] });
  });

  test.each(['0', '0.00', '-5', '1.234', '1e3', ' 5', '1,000', '٥'])('has no amount of %j', async (quotaUsd) => {
    const answer = await add({ quotaUsd });
    expect(answer).toMatchObject({ status: 400, errors: ['Form validation failed'] });
    expect(answer.fields['quotaUsd']).toBe('The approval amount must be greater than 0, with at most 2 decimal places');
  });

  test('misses an amount that is empty', async () => {
    expect((await add({ quotaUsd: '' })).fields).toEqual({ quotaUsd: 'required' });
  });

  test.each(['Treasury', ' treasury ', 'TREASURY'])('is not named %j beside a Treasury', async (name) => {
    await add({ name: 'Treasury' });
    expect(await add({ name })).toMatchObject({ status: 409, key: 'roleExists', fields: { name: expect.any(String) } });
  });

  test.each(['administrator', 'Viewer', '财务', '審批人'])('does not pass for a system role: %s', async (name) => {
    expect((await add({ name })).key).toBe('roleExists');
    expect((await edit((await role(world, tenant)).id, { name })).key).toBe('roleExists');
  });

  test('is named and numbered apart from those of other companies', async () => {
    const other = await world.company('Other');
    await add({ name: 'Treasury' });
    expect((await add({ name: 'Treasury' }, other.admin)).status).toBe(200);
  });

  test('takes no id of a system role', async () => {
    expect((await add({ id: systemRoleIds.viewer })).key).toBe('idTaken');
  });
});

describe('changing a role', () => {
  test('takes effect with the next request of whoever holds it', async () => {
    const own = await role(world, tenant, ['role.manage']);
    const holder = await world.member(tenant, own);
    expect((await world.ask(calls.listRoles, { as: holder })).status).toBe(200);
    await edit(own.id, { permissions: ['payee.view'] });
    expect(await world.ask(calls.listRoles, { as: holder })).toMatchObject({ status: 403, key: 'noPermission' });
    await edit(own.id, { permissions: ['role.manage'] });
    expect((await world.ask(calls.listRoles, { as: holder })).status).toBe(200);
    await edit(own.id, { permissions: ['role.manage'], active: false });
    expect((await world.ask(calls.listRoles, { as: holder })).status).toBe(403);
    expect((await succeed(world, identity.getUser, { as: holder })).data.permissions).toEqual([]);
  });

  test('nobody gives the role they hold, or any other, more than they have', async () => {
    const own = await role(world, tenant, ['role.manage', 'approval.decide'], '1000');
    const holder = await world.member(tenant, own);
    const same = { quotaUsd: '1000', permissions: ['role.manage', 'approval.decide'] };
    for (const more of [
      { ...same, permissions: [...same.permissions, 'member.manage'] },
      { ...same, quotaUsd: '1000.01' },
      { ...same, quotaUsd: null },
      { ...same, active: false, permissions: ['setting.manage'] },
    ]) {
      expect(await edit(own.id, more, holder)).toMatchObject({ status: 403, key: 'authorityExceeded' });
      expect(await add(more, holder)).toMatchObject({ status: 403, key: 'authorityExceeded' });
    }
    expect((await add(same, holder)).status).toBe(200);
    const stronger = await role(world, tenant, ['member.manage']);
    expect((await edit(stronger.id, { permissions: [] }, holder)).key).toBe('authorityExceeded');
    expect((await world.ask(calls.deleteRole, { as: holder, body: { id: stronger.id } })).key).toBe(
      'authorityExceeded',
    );
    const copied = { id: systemRoleIds.administrator, name: 'Me too' };
    expect((await world.ask(calls.copyRole, { as: holder, body: copied })).key).toBe('authorityExceeded');
    // Less is free.
    expect((await edit(own.id, { ...same, quotaUsd: '999.99' }, holder)).status).toBe(200);
  });

  test('system roles are neither changed nor deleted', async () => {
    for (const id of Object.values(systemRoleIds)) {
      expect(await edit(id, {})).toMatchObject({ status: 409, key: 'roleIsSystem' });
      expect(await world.ask(calls.deleteRole, { as, body: { id } })).toMatchObject({ key: 'roleIsSystem' });
    }
  });

  test('a role in use is not deleted, and the reason says by whom', async () => {
    const own = await role(world, tenant);
    const id = await member(world, tenant, { roleId: own.id });
    const answer = await world.ask(calls.deleteRole, { as, body: { id: own.id } });
    expect(answer).toMatchObject({ status: 409, key: 'roleInUse' });
    expect(answer.errors[0]).toContain('assigned to 1 member');
    await succeed(world, calls.deleteMember, { as, body: { id } });
    await succeed(world, calls.deleteRole, { as, body: { id: own.id } });
    expect((await world.ask(calls.deleteRole, { as, body: { id: own.id } })).key).toBe('roleNotFound');
  });
});

test('the list has the system roles first, in the reader’s language, and who holds what', async () => {
  await add({ name: 'Aardvark' });
  const query = { keyword: '' };
  const { data } = await succeed(world, calls.listRoles, { as, query, headers: { 'accept-language': 'zh-hk' } });
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['管理員', '財務', '審批人', '檢視者', 'Aardvark']);
  expect(data[0]).toMatchObject({ memberCount: 1, quotaUsd: null, createdAt: null, permissions: [...permissions] });
  const active = (await succeed(world, calls.listRoles, { as, query: { active: 'false' } })).data;
  expect(active).toEqual([]);
});

test('a copy of a system role is one’s own, and has all that it had', async () => {
  const body = { id: systemRoleIds.finance, newId: newId(), name: 'Finance Hong Kong' };
  const { data } = await succeed(world, calls.copyRole, { as, body });
  expect(data).toMatchObject({ id: body.newId, system: null, name: 'Finance Hong Kong', active: true });
  expect([...data.permissions].sort()).toEqual([...systemRolePermissions.finance].sort());
});

test('the tree of permissions names every permission once and says which the reader may give', async () => {
  const holder = await world.member(tenant, await role(world, tenant, ['role.manage']));
  const { data } = await succeed(world, calls.getMenuGroups, { as: holder });
  const entries = data.flatMap((group) => group.entries);
  const leaves = entries.flatMap((entry) => entry.permissions);
  expect(leaves.map((leaf) => leaf.permission).sort()).toEqual([...permissions].sort());
  const grantable = leaves.filter((leaf) => leaf.grantable);
  expect(grantable.map((leaf) => leaf.permission)).toEqual(['role.manage']);
});
