import * as identity from '@causeway/contract/identity.ts';
import * as calls from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { department, member, memberForm, role } from '../../testing/organisation.ts';
import { encrypted, succeed } from '../../testing/valid-requests.ts';
import {
  findCompanySettings,
  findNamedPeople,
  findPeople,
  findRoleNames,
  type Named,
  type OpenWorkPort,
} from './index.ts';
import * as members from './service/members.ts';
import * as membership from './service/membership.ts';

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

const idOf = ({ session }: Member) => session.userId;
const setStatus = (id: string, enabled: boolean) =>
  succeed(world, calls.setMemberStatus, { as, body: { id, enabled } });

/** The first step of a sign-in: a ticket, or the error's key. */
async function signIn(email: string): Promise<string> {
  const body = { loginMethod: 'email', email, password: await encrypted(world) };
  const answer = await world.ask(identity.login, { body });
  return answer.key ?? answer.data.ticket!;
}

describe('disabling', () => {
  test('ends sessions, sign-ins under way, codes and links at once, and enabling brings none of them back', async () => {
    const person = await world.member(tenant, 'finance');
    const ticket = await signIn(person.email);
    await succeed(world, identity.sendCode, { body: { scenario: 'login', ticket } });
    const code = await world.takeCode();
    await succeed(world, calls.resetMemberPassword, { as, body: { id: idOf(person) } });
    const token = await world.takeLink();

    expect((await setStatus(idOf(person), false)).data.status).toBe('disabled');
    expect((await world.ask(identity.getUser, { as: person })).key).toBe('sessionEnded');
    expect(await signIn(person.email)).toBe('loginFailed');
    const finish = () => world.ask(identity.login, { body: { loginMethod: 'email', ticket, code } });
    const activate = async () =>
      world.ask(identity.activate, { body: { token, password: await encrypted(world, 'Other-Horse2') } });
    expect((await finish()).key).toBe('signInExpired');
    expect((await activate()).key).toBe('activationInvalid');

    expect((await setStatus(idOf(person), true)).data.status).toBe('active');
    expect((await world.ask(identity.getUser, { as: person })).key).toBe('sessionEnded');
    expect((await finish()).key).toBe('signInExpired');
    expect((await activate()).key).toBe('activationInvalid');
    expect(await signIn(person.email)).toMatch(/^[\w-]{40,}$/);
  });

  test('takes the trusted browsers away', async () => {
    const person = await world.member(tenant, 'finance');
    const trusted = () =>
      world.db.app.withCompany(tenant.id, (tx) =>
        sql`select from trusted_browser where company_id = company_id()`.execute(tx),
      );
    const ticket = await signIn(person.email);
    await succeed(world, identity.sendCode, { body: { scenario: 'login', ticket } });
    const body = { loginMethod: 'email', ticket, code: await world.takeCode(), skipVerification: true };
    await succeed(world, identity.login, { body });
    expect((await trusted()).rows).toHaveLength(1);
    await setStatus(idOf(person), false);
    expect((await trusted()).rows).toHaveLength(0);
  });

  test('somebody invited: enabled again, they are still to set a password', async () => {
    const id = await member(world, tenant);
    await setStatus(id, false);
    expect(await world.ask(calls.sendActivation, { as, body: { id } })).toMatchObject({ key: 'memberNotActive' });
    expect((await setStatus(id, true)).data).toMatchObject({ status: 'invited', activationExpiresAt: null });
    await succeed(world, calls.sendActivation, { as, body: { id } });
  });
});

describe('deleting', () => {
  test('ends all access, empties the place and frees the address for anybody', async () => {
    const person = await world.member(tenant, await role(world, tenant));
    const id = idOf(person);
    await succeed(world, calls.deleteMember, { as, body: { id } });
    expect((await world.ask(identity.getUser, { as: person })).key).toBe('sessionEnded');
    expect(await signIn(person.email)).toBe('loginFailed');
    expect((await world.ask(calls.deleteMember, { as, body: { id } })).key).toBe('memberNotFound');
    const { data } = await succeed(world, calls.listMembers, { as, query: { keyword: person.email } });
    expect(data.items).toEqual([]);

    const other = await world.company('Other');
    const body = { ...(await memberForm(world, other)), email: person.email };
    await succeed(world, calls.addMember, { as: other.admin, body });
  });

  test('stands in the way of no role, department or deputy', async () => {
    const own = await role(world, tenant);
    const departmentId = await department(world, tenant);
    const deputy = await world.member(tenant, 'approver');
    const away = await world.member(tenant, 'approver');
    const leave = { id: idOf(away), onLeave: true, deputyId: idOf(deputy) };
    await succeed(world, calls.setMemberLeave, { as, body: leave });
    const id = await member(world, tenant, { roleId: own.id, departmentId });
    await succeed(world, calls.deleteMember, { as, body: { id } });
    await succeed(world, calls.deleteRole, { as, body: { id: own.id } });
    await succeed(world, calls.deleteDepartment, { as, params: { id: departmentId } });
    await succeed(world, calls.deleteMember, { as, body: { id: idOf(deputy) } });
    const [person] = await world.db.app.withCompany(tenant.id, (tx) => findPeople(tx, [idOf(away)]));
    expect(person).toMatchObject({ onLeave: true, deputyId: null });
  });
});

describe('on leave', () => {
  test('nobody makes themselves the deputy of an approver: that would be giving oneself a say', async () => {
    const approver = await world.member(tenant, 'approver');
    const second = await world.member(tenant, 'administrator');
    const leave = { id: idOf(approver), onLeave: true, deputyId: idOf(as) };
    expect(await world.ask(calls.setMemberLeave, { as, body: leave })).toMatchObject({
      key: 'deputyUnsuitable',
      fields: { deputyId: expect.any(String) },
    });
    await succeed(world, calls.setMemberLeave, { as: second, body: leave });
  });

  test('a deputy is another active member who is there', async () => {
    const person = await world.member(tenant, 'approver');
    const absent = await world.member(tenant, 'approver');
    await succeed(world, calls.setMemberLeave, { as, body: { id: idOf(absent), onLeave: true } });
    const disabled = await world.member(tenant, 'approver');
    await setStatus(idOf(disabled), false);
    const invited = await member(world, tenant);
    const body = { id: idOf(person), onLeave: true };
    for (const deputyId of [idOf(person), idOf(absent), idOf(disabled), invited]) {
      const answer = await world.ask(calls.setMemberLeave, { as, body: { ...body, deputyId } });
      expect(answer).toMatchObject({ key: 'deputyUnsuitable', fields: { deputyId: expect.any(String) } });
    }
    const deputyId = idOf(await world.member(tenant, 'approver'));
    const { data } = await succeed(world, calls.setMemberLeave, { as, body: { ...body, deputyId } });
    expect(data).toMatchObject({ onLeave: true, deputy: { id: deputyId, name: 'Ada Wong' } });
    const impact = await succeed(world, calls.getMemberImpact, { as, query: { id: deputyId } });
    expect(impact.data.deputyFor).toBe(1);
    const back = await succeed(world, calls.setMemberLeave, { as, body: { ...body, onLeave: false } });
    expect(back.data).toMatchObject({ onLeave: false, deputy: null });
    const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
      sql<{ detail: unknown }>`
        select detail from audit_event where company_id = company_id() and action = 'organisation.setLeave'
          and subject_id = ${idOf(person)} order by id`.execute(tx),
    );
    const [none, away] = [
      { onLeave: false, deputy: null },
      { onLeave: true, deputy: 'Ada Wong', deputyId },
    ];
    expect(rows.map(({ detail }) => detail)).toMatchObject([
      { before: none, after: away },
      { before: away, after: none },
    ]);
  });
});

describe("an administrator's reset", () => {
  test('signs the member out and mails a link; the password before works until another is set', async () => {
    const person = await world.member(tenant, 'finance');
    await succeed(world, calls.resetMemberPassword, { as, body: { id: idOf(person) } });
    expect((await world.ask(identity.getUser, { as: person })).key).toBe('sessionEnded');
    expect(await signIn(person.email)).toMatch(/^[\w-]{40,}$/);
    const token = await world.takeLink();
    expect((await succeed(world, identity.checkActivation, { body: { token } })).data).toMatchObject({
      purpose: 'reset',
      email: person.email,
    });
    await succeed(world, identity.activate, { body: { token, password: await encrypted(world, 'Other-Horse2') } });
    expect(await signIn(person.email)).toBe('loginFailed');
  });

  test('is for active members, the activation mail for invited ones', async () => {
    const id = await member(world, tenant);
    expect((await world.ask(calls.resetMemberPassword, { as, body: { id } })).key).toBe('memberNotActive');
    const active = idOf(await world.member(tenant, 'viewer'));
    expect((await world.ask(calls.sendActivation, { as, body: { id: active } })).key).toBe('memberActivated');
  });

  test('mails to one member are counted', async () => {
    const id = await member(world, tenant);
    for (let i = 0; i < 19; i++) await succeed(world, calls.sendActivation, { as, body: { id } });
    expect((await world.ask(calls.sendActivation, { as, body: { id } })).key).toBe('tooManyRequests');
  });
});

describe('open work', () => {
  const left: string[] = [];
  const port: OpenWorkPort = {
    describe: async () => ({ pendingDecisions: 2, pendingOwn: 1 }),
    leaves: async (tx, userId) => {
      // Still as it was: what follows may depend on it.
      const [person] = await findPeople(tx, [userId]);
      left.push(`${userId} ${person?.status} ${person?.roleName}`);
    },
  };
  const context = () => ({
    database: world.db.app,
    issueActivation: async () => new Date(),
    openWork: [port, port],
    uses: [],
    secondPerson: { propose: async () => null },
    session: as.session,
    locale: 'en-us' as const,
    ip: '127.0.0.1',
    userAgent: '',
    requestId: 'test',
    clock: systemClock,
  });
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => world.db.app.withCompany(tenant.id, work);
  beforeEach(() => left.splice(0));

  test('is said before it happens, of all who keep some', async () => {
    const id = idOf(await world.member(tenant, 'approver'));
    expect(await inTenant((tx) => membership.describeImpact(tx, context(), { id }))).toEqual({
      pendingDecisions: 4,
      pendingOwn: 2,
      deputyFor: 0,
      rules: 0,
      policies: 0,
      lastAdministrator: false,
      self: false,
    });
  });

  test('is taken care of when somebody is disabled, deleted or loses a role, and not otherwise', async () => {
    const id = idOf(await world.member(tenant, 'approver'));
    const form = { ...(await memberForm(world, tenant)), email: 'unused@example.com' };
    const [before] = await world.db.app.withCompany(tenant.id, (tx) => findPeople(tx, [id]));
    const body = { id, ...form, email: before?.email ?? '' };
    await members.edit(context(), { ...body, roleId: systemRoleIds.approver });
    expect(left).toEqual([]);
    await members.edit(context(), body);
    await inTenant((tx) => membership.setStatus(tx, context(), { id, enabled: false }));
    await inTenant((tx) => membership.setStatus(tx, context(), { id, enabled: false }));
    await inTenant((tx) => membership.remove(tx, context(), { id }));
    const told = [`${id} active Approver`, `${id} active Viewer`, `${id} disabled Viewer`];
    expect(left).toEqual(told.flatMap((each) => [each, each]));
  });

  test('a refusal of it is a refusal of the whole', async () => {
    const id = idOf(await world.member(tenant, 'approver'));
    const refusing = { ...port, leaves: () => Promise.reject(new Error('no')) };
    const attempt = inTenant((tx) => membership.remove(tx, { ...context(), openWork: [refusing] }, { id }));
    await expect(attempt).rejects.toThrow('no');
    expect(await world.db.app.withCompany(tenant.id, (tx) => findPeople(tx, [id]))).toHaveLength(1);
  });
});

test('approvals are told of people as they are now: what an inactive one may is nothing', async () => {
  const own = await role(world, tenant, ['approval.decide'], '2500.5');
  const person = await world.member(tenant, own);
  const invited = await member(world, tenant, { roleId: own.id });
  const read = () => world.db.worker.withCompany(tenant.id, (tx) => findPeople(tx, [idOf(person), invited]));
  const [active, waiting] = await read();
  expect(active).toMatchObject({
    quotaUsd: '2500.50',
    permissions: ['approval.view', 'approval.decide'],
    status: 'active',
  });
  expect(waiting).toMatchObject({ permissions: [], status: 'invited', departmentName: expect.any(String) });

  const form = { name: 'Night shift', quotaUsd: '2500.50', permissions: ['approval.decide'], active: false };
  await succeed(world, calls.editRole, { as, body: { id: own.id, ...form } });
  expect((await read())[0]).toMatchObject({ roleName: 'Night shift', permissions: [] });
  const names = await world.db.worker.withCompany(tenant.id, (tx) => findRoleNames(tx, 'zh-cn'));
  expect(names.get(own.id)).toEqual({ name: 'Night shift', active: false, quotaUsd: '2500.50', approves: true });
  expect(names.get(systemRoleIds.finance)).toEqual({ name: '财务', active: true, quotaUsd: null, approves: false });
  expect(await world.db.worker.withCompany(tenant.id, findCompanySettings)).toEqual({
    timeZone: 'Asia/Hong_Kong',
    codeRecipient: 'initiator',
    waitingHours: 24,
    forbidOwnApprovers: false,
    approveNewPayees: false,
    baseCurrency: 'USD',
    changedPayeeDays: 7,
  });
});

test('of those whom a page names the company is asked alone, with deputies and those for whom somebody stands in', async () => {
  const keeps = await role(world, tenant, ['rule.manage']);
  const [one, away, deputy, approver, keeper, nobody] = await Promise.all([
    world.member(tenant, 'finance'),
    world.member(tenant, 'finance'),
    world.member(tenant, 'viewer'),
    world.member(tenant, 'approver'),
    world.member(tenant, keeps),
    world.member(tenant, 'finance'),
  ]);
  const leave = { id: idOf(away), onLeave: true, deputyId: idOf(deputy) };
  await succeed(world, calls.setMemberLeave, { as, body: leave });
  const elsewhere = await world.company();
  const named = async (wanted: Named) =>
    (await world.db.app.withCompany(tenant.id, (tx) => findNamedPeople(tx, wanted))).map(({ id }) => id);
  const sorted = (...members: Member[]) => members.map(idOf).sort();
  expect(await named({ ids: [idOf(one), idOf(elsewhere.admin)] })).toEqual(sorted(one));
  expect(await named({ ids: [idOf(away)] })).toEqual(sorted(away, deputy));
  expect(await named({ ids: [], deputies: [idOf(deputy)] })).toEqual(sorted(away, deputy));
  expect(await named({ ids: [], roleIds: [systemRoleIds.approver, keeps.id] })).toEqual(sorted(approver, keeper));
  expect(await named({ ids: [], holding: ['rule.manage'] })).toEqual(sorted(tenant.admin, keeper));
  const viewing = sorted(tenant.admin, keeper, approver, one, away, nobody, deputy);
  expect(await named({ ids: [], holding: ['rule.view'] })).toEqual(viewing);
  await succeed(world, calls.deleteMember, { as, body: { id: idOf(approver) } });
  expect(await named({ ids: [idOf(approver)], roleIds: [systemRoleIds.approver] })).toEqual([]);
});
