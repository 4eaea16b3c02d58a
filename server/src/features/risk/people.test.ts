import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import {
  addRiskPolicy,
  deleteRiskPolicy,
  editRiskPolicy,
  explainRisk,
  listRiskPolicies,
  listRiskPolicyLogs,
  replayRiskPolicies,
} from '@causeway/contract/risk.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { testDatabase } from '../../testing/database.ts';
import { inOneBatch, oneByOne } from '../../testing/judging.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { role } from '../../testing/organisation.ts';
import { present } from '../../testing/present.ts';
import { riskSubject } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import { assess } from './index.ts';

/** Policies about who submits, with members, departments and roles as organisation has them. */

const runs = Number(process.env['PROOF_ROUNDS'] ?? 8);

let world: MainApp;
let tenant: Tenant;
let treasury: string;
let desk: string;
let sales: string;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  treasury = await department('Treasury');
  desk = await department('Desk', treasury);
  sales = await department('Sales');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function department(name: string, parentId: string | null = null, of = tenant): Promise<string> {
  return (await succeed(world, organisation.addDepartment, { as: of.admin, body: { name, parentId } })).data.id;
}

async function memberIn(departmentId: string | null, role: 'finance' | 'viewer' = 'finance'): Promise<string> {
  const { userId } = (await world.member(tenant, role)).session;
  if (departmentId !== null) await move(userId, departmentId);
  return userId;
}

const move = (memberId: string, departmentId: string | null) =>
  world.db.app.withCompany(tenant.id, (tx) =>
    sql`update member set department_id = ${departmentId} where company_id = company_id() and id = ${memberId}`.execute(
      tx,
    ),
  );

const policy = (content: object, more: object = {}) => ({
  name: 'Who may send',
  business: 'crypto_withdrawal',
  method: 'forbid',
  content,
  result: 'deny',
  window: 'day',
  ...more,
});
const add = (content: object, more: object = {}, of = tenant) =>
  world.ask(addRiskPolicy, { as: of.admin, body: policy(content, more) });
const onlyFrom = (...departments: string[]) => add({ dimension: 'department', departments }, { method: 'allow_only' });
const by = (initiatorId: string, more: object = {}) => riskSubject({ initiatorId, ...more });
const judged = (initiatorId: string, moment: 'submission' | 'handover' = 'submission', id = newId()) =>
  world.db.app.withCompany(tenant.id, (tx) => assess(tx, by(initiatorId, { id }), moment));
const explain = async (id: string) => (await succeed(world, explainRisk, { as: tenant.admin, params: { id } })).data;

describe('who submits', () => {
  test('is judged by member, role, and department with those below it, each in a batch as alone', async () => {
    const [own, below, other, none] = [
      await memberIn(treasury),
      await memberIn(desk),
      await memberIn(sales),
      await memberIn(null),
    ];
    const viewer = await memberIn(desk, 'viewer');
    await onlyFrom(treasury);
    await add({ dimension: 'initiator', members: [own] }, { name: 'Not this one' });
    await add({ dimension: 'role', roles: [systemRoleIds.viewer] }, { name: 'No viewers' });
    const subjects = [own, below, other, none, viewer].map((id) => ({ companyId: tenant.id, ...by(id) }));
    const expected = ['Not this one', null, 'Who may send', 'Who may send', 'No viewers'];
    const names = (decisions: Awaited<ReturnType<typeof inOneBatch>>) =>
      decisions.map((each) => (each === 'idTaken' ? each : each.subjectName));
    expect(names(await inOneBatch(world.db, subjects))).toEqual(expected);
    const again = subjects.map((subject) => ({ ...subject, id: newId() }));
    expect(names(await oneByOne(world.db, again))).toEqual(expected);
  });

  test('is judged again at each later moment, and each explanation keeps what it saw', async () => {
    const member = await memberIn(desk);
    await onlyFrom(treasury);
    const id = newId();
    expect(await judged(member, 'submission', id)).toMatchObject({ allowed: true });
    await move(member, sales);
    expect(await judged(member, 'handover', id)).toMatchObject({ allowed: false, subjectName: 'Who may send' });
    // The member leaves and their departments are taken apart: what was judged is explained as before.
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update member set disabled_at = now(), deleted_at = now(), department_id = null
        where company_id = company_id() and id = ${member}`.execute(tx),
    );
    await succeed(world, organisation.deleteDepartment, { as: tenant.admin, params: { id: desk } });
    const { judgements } = await explain(id);
    const [later, first] = judgements.map(({ allowed, checks }: { allowed: boolean; checks: object[] }) => ({
      allowed,
      check: checks.at(-1),
    }));
    expect(first).toMatchObject({
      allowed: true,
      check: { outcome: 'passed', saw: 'Initiator’s department: Treasury › Desk (deleted)' },
    });
    expect(first?.check).toMatchObject({ why: 'Within what this policy allows: Treasury' });
    expect(later).toMatchObject({
      allowed: false,
      check: { outcome: 'stopped', saw: 'Initiator’s department: Sales' },
    });
  });

  test(`who is moved while it is judged is judged by one department or the other, ${runs} times`, async () => {
    const member = await memberIn(treasury);
    await onlyFrom(treasury);
    for (let round = 0; round < runs; round++) {
      await move(member, round % 2 === 0 ? treasury : sales);
      const id = newId();
      const [verdict] = await Promise.all([
        judged(member, 'submission', id),
        move(member, round % 2 === 0 ? sales : treasury),
      ]);
      const { judgements } = await explain(id);
      const judgement = present(judgements[0]);
      const check = present(judgement.checks.at(-1));
      const from = `Initiator’s department: ${verdict.allowed ? 'Treasury' : 'Sales'}`;
      expect([judgement.allowed, check.saw]).toEqual([verdict.allowed, from]);
    }
  });

  test('of the past is taken as it was recorded, and as it is now where it was not', async () => {
    const member = await memberIn(treasury);
    const [kept, unkept] = [newId(), newId()];
    for (const id of [kept, unkept]) await judged(member, 'submission', id);
    await forgetPlace(unkept);
    await move(member, sales);
    const draft = policy({ dimension: 'department', departments: [sales] });
    const { data } = await succeed(world, replayRiskPolicies, { as: tenant.admin, body: { policy: draft } });
    expect(data).toMatchObject({ judged: 2, byCurrentPlace: 1, stoppedByDraft: 1 });
    expect(data.items).toMatchObject([{ transactionId: unkept, sentence: 'Initiator’s department: Sales' }]);
    const about = policy({ dimension: 'initiator', members: [member] });
    const byName = await succeed(world, replayRiskPolicies, { as: tenant.admin, body: { policy: about } });
    expect(byName.data).toMatchObject({ byCurrentPlace: 0, stoppedByDraft: 2 });
  });
});

/** As a transaction is that was counted before departments and roles were recorded. */
async function forgetPlace(id: string): Promise<void> {
  const client = new pg.Client(world.db.superuserUrl);
  await client.connect();
  await client.query('update causeway.risk_flow set role_id = null, department_ids = null where transaction_id = $1', [
    id,
  ]);
  await client.end();
}

describe('whom a policy names', () => {
  test('must be of the company: ids of another answer as unknown ones', async () => {
    const other = await world.company();
    const foreign = {
      initiator: { members: [other.admin.session.userId] },
      department: { departments: [await department('Treasury', null, other)] },
      role: { roles: [newId()] },
    };
    const keys = { initiator: 'memberNotFound', department: 'departmentNotFound', role: 'roleNotFound' };
    for (const [dimension, ids] of Object.entries(foreign)) {
      const unknown = Object.fromEntries(Object.keys(ids).map((name) => [name, [newId()]]));
      const [one, two] = [await add({ dimension, ...ids }), await add({ dimension, ...unknown })];
      expect([one.status, one.key]).toEqual([two.status, two.key]);
      expect(one.key).toBe(keys[dimension as keyof typeof keys]);
    }
    // A department is no role, and a role no member.
    expect((await add({ dimension: 'role', roles: [treasury] })).key).toBe('roleNotFound');
  });

  test('cannot be deleted while it does, and keeps its name in the past', async () => {
    const { data: made } = await onlyFrom(sales);
    const refused = await world.ask(organisation.deleteDepartment, { as: tenant.admin, params: { id: sales } });
    expect(refused).toMatchObject({ status: 409, key: 'departmentNamed' });
    expect(refused.raw.body).toContain('1 risk policy');
    const intern = await role(world, tenant);
    const { data: about } = await add({ dimension: 'role', roles: [intern.id] });
    const inUse = await world.ask(organisation.deleteRole, { as: tenant.admin, body: { id: intern.id } });
    expect(inUse).toMatchObject({ status: 409, key: 'roleInUse' });
    await world.ask(deleteRiskPolicy, { as: tenant.admin, body: { id: made.id } });
    await world.ask(deleteRiskPolicy, { as: tenant.admin, body: { id: about.id } });
    await succeed(world, organisation.deleteDepartment, { as: tenant.admin, params: { id: sales } });
    const { data: log } = await succeed(world, listRiskPolicyLogs, {
      as: tenant.admin,
      query: { policyId: made.id },
    });
    expect(log.items[0]?.before?.named).toEqual([{ id: sales, name: 'Sales', gone: true }]);
  });

  test('may be a member who left: the policy stays, says so, is for no one through that name, and can be changed', async () => {
    const member = await memberIn(treasury);
    const { data: made } = await add({ dimension: 'initiator', members: [member] }, { method: 'allow_only' });
    const { data: impact } = await succeed(world, organisation.getMemberImpact, {
      as: tenant.admin,
      query: { id: member },
    });
    expect(impact).toMatchObject({ policies: 1, rules: 0 });
    await succeed(world, organisation.deleteMember, { as: tenant.admin, body: { id: member } });
    const { data: list } = await succeed(world, listRiskPolicies, { as: tenant.admin });
    expect(list.items[0]?.named).toMatchObject([{ id: member, gone: true }]);
    expect(await judged(await memberIn(treasury))).toMatchObject({ allowed: false });
    const body = { id: made.id, version: 1, ...policy(made.content, { method: 'allow_only', name: 'Renamed' }) };
    expect((await world.ask(editRiskPolicy, { as: tenant.admin, body })).status).toBe(200);
    expect((await add({ dimension: 'initiator', members: [member] })).key).toBe('memberNotFound');
  });
});
