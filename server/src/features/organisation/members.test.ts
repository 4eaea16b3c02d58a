import * as identity from '@causeway/contract/identity.ts';
import * as calls from '@causeway/contract/organisation.ts';
import { permissions, systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { consent } from '../../testing/consent.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { department, member, memberForm, role } from '../../testing/organisation.ts';
import { encrypted, succeed } from '../../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const add = async (given: object, as: Member = tenant.admin) =>
  world.ask(calls.addMember, { as, body: { ...(await memberForm(world, tenant)), ...given } });
const list = async (query: Record<string, string> = {}) =>
  (await succeed(world, calls.listMembers, { as: tenant.admin, query })).data;
const names = async (query: Record<string, string>) =>
  (await list(query)).items.map(({ name }: { name: string }) => name);

async function auditOf(subjectId: string): Promise<{ action: string; detail: Record<string, unknown> }[]> {
  return world.db.app.withCompany(tenant.id, async (tx) => {
    const { rows } = await sql<{ action: string; detail: Record<string, unknown> }>`
      select action, detail from audit_event where company_id = company_id() and subject_id = ${subjectId}
      order by id`.execute(tx);
    return rows;
  });
}

describe('adding a member', () => {
  test('invites: role, department and mobile as they are kept, and a link that holds for 72 hours', async () => {
    const form = { mobileCountryCode: '+44', mobile: '07911 123456', firstName: ' Jose\u0301 ', lastName: '' };
    const { data } = await add({ ...form, language: 'zh_HK' });
    expect(data).toMatchObject({
      firstName: 'Jos\u00e9',
      lastName: '',
      name: 'Jos\u00e9',
      mobileCountryCode: '44',
      mobile: '7911123456',
      role: { id: systemRoleIds.viewer, name: 'Viewer', system: 'viewer', active: true },
      status: 'invited',
      language: 'zh_HK',
      lastLoginAt: null,
      self: false,
    });
    const hours = (Date.parse(data.activationExpiresAt!) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThanOrEqual(72);
    expect((await auditOf(data.id)).map(({ action }) => action)).toEqual(['organisation.addMember']);
  });

  test('takes the administrator’s language where none is chosen', async () => {
    await succeed(world, identity.setLanguage, { as: tenant.admin, body: { language: 'zh_CN' } });
    expect((await add({})).data.language).toBe('zh_CN');
  });

  test('names every field that is missing, in the words of the specification', async () => {
    const answer = await world.ask(calls.addMember, { as: tenant.admin, body: {} });
    expect([answer.status, answer.errors]).toEqual([400, ['Form validation failed']]);
    expect(answer.fields).toMatchObject({
      roleId: 'required',
      departmentId: 'required',
      mobile: 'required',
      firstName: 'required',
      email: 'Please enter your email address',
    });
  });

  test.each([
    ['firstName', { firstName: 'R2D2' }, 'validationFailed'],
    ['lastName', { lastName: 'Wong<script>' }, 'validationFailed'],
    ['email', { email: 'nobody' }, 'validationFailed'],
    ['mobile', { mobile: '123' }, 'validationFailed'],
    ['mobileCountryCode', { mobileCountryCode: '999' }, 'validationFailed'],
    ['roleId', { roleId: newId() }, 'roleNotFound'],
    ['departmentId', { departmentId: newId() }, 'departmentNotFound'],
  ])('is refused at the field %s for %j', async (field, given, key) => {
    const answer = await add(given);
    expect(answer.key).toBe(key);
    expect(answer.fields[field]).toMatch(/\S/);
  });

  test.each(['陳大文', 'Anne-Marie', 'D\u2019Arcy', 'J. R.', 'Нина', 'محمد', 'मीना'])(
    '%s is a name',
    async (firstName) => {
      expect((await add({ firstName })).status).toBe(200);
    },
  );

  test('an address that anybody has is refused alike, in whatever case, and often asking is stopped', async () => {
    const other = await world.company('Other');
    for (const email of [tenant.admin.email, other.admin.email, other.admin.email.toUpperCase()]) {
      expect(await add({ email })).toMatchObject({
        status: 409,
        key: 'memberEmailTaken',
        fields: { email: expect.stringContaining('already in use') },
      });
    }
    for (let i = 0; i < 27; i++) await add({ email: other.admin.email });
    expect(await add({ email: other.admin.email })).toMatchObject({ status: 429, key: 'tooManyRequests' });
  });

  test('a role that is switched off cannot be given', async () => {
    const { id } = await role(world, tenant);
    const form = { name: `Off ${newId()}`, quotaUsd: null, permissions: [], active: false };
    await succeed(world, calls.editRole, { as: tenant.admin, body: { id, ...form } });
    expect(await add({ roleId: id })).toMatchObject({ key: 'roleInactive' });
  });
});

describe('who may do what to whom', () => {
  let clerk: Member;
  beforeEach(async () => {
    clerk = await world.member(tenant, await role(world, tenant, ['member.manage', 'payee.manage', 'notice.view']));
  });

  test('somebody who manages members gives no role beyond their own', async () => {
    expect(await add({ roleId: systemRoleIds.administrator }, clerk)).toMatchObject({ key: 'authorityExceeded' });
    expect(await add({ roleId: systemRoleIds.viewer }, clerk)).toMatchObject({ key: 'authorityExceeded' });
    const lesser = await role(world, tenant, ['payee.view']);
    expect((await add({ roleId: lesser.id }, clerk)).status).toBe(200);
  });

  test('nor touches anybody whose role is', async () => {
    const id = tenant.admin.session.userId;
    const body = { id, ...(await memberForm(world, tenant)), email: tenant.admin.email };
    for (const [call, request] of [
      [calls.editMember, { body }],
      [calls.setMemberStatus, { body: { id, enabled: false } }],
      [calls.deleteMember, { body: { id } }],
      [calls.resetMemberPassword, { body: { id } }],
      [calls.setMemberLeave, { body: { id, onLeave: true } }],
    ] as const) {
      expect(await world.ask(call, { as: clerk, ...request })).toMatchObject({ status: 403, key: 'authorityExceeded' });
    }
  });

  test('nor somebody whose role would be, were it not switched off', async () => {
    const strong = await role(world, tenant, ['role.manage']);
    const id = await member(world, tenant, { roleId: strong.id });
    const form = { name: `Off ${newId()}`, quotaUsd: null, permissions: ['role.manage'], active: false };
    await succeed(world, calls.editRole, { as: tenant.admin, body: { id: strong.id, ...form } });
    const answer = await world.ask(calls.deleteMember, { as: clerk, body: { id } });
    expect(answer.key).toBe('authorityExceeded');
  });

  test('nobody changes their own role, disables or deletes themselves', async () => {
    await world.member(tenant, 'administrator');
    const { userId: id } = tenant.admin.session;
    const form = { ...(await memberForm(world, tenant)), email: tenant.admin.email };
    const as = tenant.admin;
    expect(await world.ask(calls.editMember, { as, body: { id, ...form } })).toMatchObject({ key: 'memberIsSelf' });
    expect(await world.ask(calls.setMemberStatus, { as, body: { id, enabled: false } })).toMatchObject({
      key: 'memberIsSelf',
    });
    expect(await world.ask(calls.deleteMember, { as, body: { id } })).toMatchObject({ key: 'memberIsSelf' });
    // The rest of one's own form is free.
    const own = { id, ...form, roleId: systemRoleIds.administrator, firstName: 'Grace' };
    expect((await succeed(world, calls.editMember, { as, body: own })).data).toMatchObject({
      firstName: 'Grace',
      self: true,
    });
  });
});

describe('the last active administrator', () => {
  test('is not demoted, disabled or deleted, whoever is only invited or disabled beside them', async () => {
    const last = tenant.admin.session.userId;
    await member(world, tenant, { roleId: systemRoleIds.administrator });
    const disabled = await world.member(tenant, 'administrator');
    const { userId } = disabled.session;
    await succeed(world, calls.setMemberStatus, { as: tenant.admin, body: { id: userId, enabled: false } });
    // All that an administrator may, in a role of the company's own: the last one is not to be touched by them either.
    const as = await world.member(tenant, await role(world, tenant, permissions, null));
    const form = { id: last, ...(await memberForm(world, tenant)), email: tenant.admin.email };
    for (const [call, body] of [
      [calls.editMember, form],
      [calls.setMemberStatus, { id: last, enabled: false }],
      [calls.deleteMember, { id: last }],
    ] as const) {
      expect(await world.ask(call, { as, body })).toMatchObject({ status: 409, key: 'lastAdministrator' });
    }
    const impact = await succeed(world, calls.getMemberImpact, { as, query: { id: last } });
    expect(impact.data).toMatchObject({ lastAdministrator: true, self: false });
    expect((await list()).items.filter((each: { lastAdministrator: boolean }) => each.lastAdministrator)).toHaveLength(
      1,
    );
    // With another one they are.
    await consent(
      world,
      tenant.admin,
      await succeed(world, calls.setMemberStatus, { as, body: { id: userId, enabled: true } }),
    );
    await succeed(world, calls.editMember, { as, body: form });
  });
});

describe('editing', () => {
  test('a role takes effect with the next request', async () => {
    const as = await world.member(tenant, 'viewer');
    expect((await world.ask(calls.listRoles, { as })).status).toBe(403);
    const body = { id: as.session.userId, ...(await memberForm(world, tenant)), email: as.email };
    await succeed(world, calls.editMember, {
      as: tenant.admin,
      body: { ...body, roleId: systemRoleIds.administrator },
    });
    expect((await world.ask(calls.listRoles, { as })).status).toBe(200);
    await succeed(world, calls.editMember, { as: tenant.admin, body });
    expect((await world.ask(calls.listRoles, { as })).status).toBe(403);
    const user = (await succeed(world, identity.getUser, { as })).data;
    expect(user).toMatchObject({ role: 'Viewer', department: { id: body.departmentId }, mobile: '91234567' });
    const trail = (await auditOf(as.session.userId)).filter(({ action }) => action === 'organisation.editMember');
    expect(trail.at(-1)?.detail).toEqual({
      before: { role: 'Administrator', roleId: systemRoleIds.administrator },
      after: { role: 'Viewer', roleId: systemRoleIds.viewer },
    });
  });

  test('the address changes until a password is set, and the link to the old one ends; later it is fixed', async () => {
    const id = await member(world, tenant);
    const old = await world.takeLink();
    const form = await memberForm(world, tenant);
    const edited = await succeed(world, calls.editMember, { as: tenant.admin, body: { id, ...form } });
    expect(edited.data.email).toBe(form.email);
    expect(await world.ask(identity.checkActivation, { body: { token: old } })).toMatchObject({
      key: 'activationInvalid',
    });
    const token = await world.takeLink();
    expect((await succeed(world, identity.checkActivation, { body: { token } })).data.email).toBe(form.email);
    // The address before is anybody's again.
    await succeed(world, identity.activate, { body: { token, password: await encrypted(world) } });
    const again = { id, ...form, email: `${newId()}@example.com` };
    expect(await world.ask(calls.editMember, { as: tenant.admin, body: again })).toMatchObject({
      status: 409,
      key: 'memberEmailFixed',
    });
  });

  test('an address that is taken leaves everything as it was', async () => {
    const id = await member(world, tenant);
    const form = { ...(await memberForm(world, tenant)), firstName: 'Other', email: tenant.admin.email };
    const answer = await world.ask(calls.editMember, { as: tenant.admin, body: { id, ...form } });
    expect(answer.key).toBe('memberEmailTaken');
    expect((await list({ keyword: 'Mei-Ling' })).total).toBe(1);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    const treasury = await department(world, tenant);
    await member(world, tenant, { firstName: 'Bob', lastName: 'Chan', departmentId: treasury, mobile: '61112222' });
    await member(world, tenant, { firstName: '大文', lastName: '陳', email: `cfo.${newId()}@example.com` });
  });

  test('is searched by name either way round, by email and by mobile', async () => {
    expect(await names({ keyword: 'bob c' })).toEqual(['Bob Chan']);
    expect(await names({ keyword: 'CFO.' })).toEqual(['陳大文']);
    expect(await names({ keyword: '陳大文' })).toEqual(['陳大文']);
    expect(await names({ keyword: '+852 6111-2222' })).toEqual(['Bob Chan']);
    expect(await names({ keyword: '%' })).toEqual([]);
    expect(await names({ keyword: '--' })).toEqual([]);
  });

  test('is filtered by status, role and department', async () => {
    expect(await names({ status: 'active' })).toEqual(['Ada Wong']);
    expect(await names({ roleId: systemRoleIds.administrator })).toEqual(['Ada Wong']);
    expect(await names({ unassigned: 'true' })).toEqual(['Ada Wong']);
    expect((await list({ roleId: systemRoleIds.viewer })).total).toBe(2);
  });

  test.each(['name', 'email', 'createdAt', 'lastLoginAt'])(
    'is paged by %s in both directions, nobody twice',
    async (sort) => {
      for (let i = 0; i < 10; i++) await member(world, tenant);
      for (const order of ['asc', 'desc']) {
        const first = await list({ sort, order, size: '10' });
        const second = await list({ sort, order, size: '10', cursor: first.next! });
        expect(second.next).toBeNull();
        const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
        expect(new Set(ids).size).toBe(13);
        expect(first.total).toBe(13);
      }
    },
  );

  test('refuses a cursor that it never gave', async () => {
    for (const cursor of ['x', Buffer.from('["\\u0000","x"]').toString('base64url')]) {
      const answer = await world.ask(calls.listMembers, { as: tenant.admin, query: { cursor } });
      expect(answer.key).toBe('cursorInvalid');
    }
  });
});

test('what forms choose from names people, and says nothing that only their managers may know', async () => {
  const as = await world.member(tenant, 'viewer');
  const { data } = await succeed(world, calls.listPeople, { as });
  expect(Object.keys(data.people[0]!).sort()).toEqual(['id', 'name', 'onLeave', 'roleId', 'roleName', 'status']);
  await succeed(world, calls.addDepartment, { as: tenant.admin, body: { name: 'Unseen', parentId: null } });
  expect((await succeed(world, calls.listPeople, { as })).data.departments).toEqual([]);
  const { departments } = (await succeed(world, calls.listPeople, { as: tenant.admin })).data;
  expect(departments.map(({ name }: { name: string }) => name)).toContain('Unseen');
});
