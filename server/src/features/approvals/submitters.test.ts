import { checkReviewChange, getApproval, getReviewSetting, listReviewLogs } from '@causeway/contract/approvals.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { addRule, changeRule } from '@causeway/contract/review.ts';
import { foreseeReview, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { payee, transferRequest } from '../../testing/valid-requests.ts';

/** Rules for members, departments and roles, from the setting to the task. */

let world: MainApp;
let tenant: Tenant;
let treasury: string;
let desk: string;
let approver: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  treasury = await department('Treasury');
  desk = await department('Desk', treasury);
  approver = await world.member(tenant, 'approver');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function department(name: string, parentId: string | null = null): Promise<string> {
  return (await succeed(world, organisation.addDepartment, { as: tenant.admin, body: { name, parentId } })).data.id;
}

async function memberIn(departmentId: string | null): Promise<Member> {
  const member = await world.member(tenant, 'finance');
  await world.db.app.withCompany(tenant.id, (tx) =>
    sql`update member set department_id = ${departmentId}
      where company_id = company_id() and id = ${member.session.userId}`.execute(tx),
  );
  return member;
}

const rule = (name: string, submittedBy?: object[], more: object = {}) => ({
  name,
  lower: '0',
  upper: null,
  ...(submittedBy && { submittedBy }),
  nodes: [{ approvers: [{ kind: 'person', id: approver.session.userId }], needed: 1 }],
  active: true,
  ...more,
});
const setting = async () => (await succeed(world, getReviewSetting, { as: tenant.admin, query: {} })).data;

async function add(content: object, id = newId()): Promise<string> {
  const { version } = await setting();
  await succeed(world, addRule, { as: tenant.admin, body: { version, id, rule: content } });
  return id;
}

const switchOn = () =>
  world.db.app.withCompany(tenant.id, (tx) =>
    sql`update approval_setting set enabled = true where company_id = company_id()`.execute(tx),
  );

async function submit(as: Member) {
  await credit(world.db, tenant, 'USDT', 6_000_000n);
  const content = {
    id: newId(),
    walletId: tenant.wallets.USDT,
    payeeId: await payee(world, tenant),
    amount: '5',
    attachmentIds: [],
    notes: '',
  };
  const { data: foreseen } = await succeed(world, foreseeReview, {
    as,
    query: { walletId: content.walletId, payeeId: content.payeeId, amount: '5' },
  });
  const request = await transferRequest(world, tenant, content, as);
  const answer = await world.ask(transferOut, { ...request, headers: { 'idempotency-key': newId() } });
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ id: string }>`select id from approval_task where subject_id = ${content.id}`.execute(tx),
  );
  return { foreseen, answer, taskId: rows[0]?.id ?? '' };
}

describe('a rule for some', () => {
  test('is foreseen, found and explained by who submits; without one for them a transfer is refused', async () => {
    const [below, outside] = [await memberIn(desk), await memberIn(null)];
    await add(rule('Treasury', [{ kind: 'department', id: treasury }]));
    await switchOn();
    const sent = await submit(below);
    expect(sent.foreseen).toMatchObject({ outcome: 'required', rule: 'Treasury' });
    const { data: task } = await succeed(world, getApproval, { as: approver, params: { id: sent.taskId } });
    const named = { kind: 'department', id: treasury, name: 'Treasury', gone: false };
    expect(task.rule).toMatchObject({ name: 'Treasury', submittedBy: [named], applied: named });
    const refused = await submit(outside);
    expect(refused.foreseen).toMatchObject({ outcome: 'noRule' });
    expect(refused.answer.key).toBe('approvalNoRule');
    const role = await add(rule('Finance', [{ kind: 'role', id: systemRoleIds.finance }]));
    const then = await submit(outside);
    expect(then.foreseen).toMatchObject({ outcome: 'required', rule: 'Finance' });
    const { data: other } = await succeed(world, getApproval, { as: approver, params: { id: then.taskId } });
    expect(other.rule).toMatchObject({ id: role, applied: { kind: 'role', name: 'Finance' } });
  });

  test('changed for others leaves what is pending under it as it was', async () => {
    const member = await memberIn(desk);
    const id = await add(rule('Treasury'));
    await switchOn();
    const { taskId } = await submit(member);
    const { version } = await setting();
    const body = { version, id, rule: rule('Treasury', [{ kind: 'person', id: tenant.admin.session.userId }]) };
    await succeed(world, changeRule, { as: tenant.admin, body });
    const { data: task } = await succeed(world, getApproval, { as: approver, params: { id: taskId } });
    expect(task).toMatchObject({ status: 'pending', mayDecide: true, rule: { submittedBy: null, applied: null } });
  });

  test('keeps whom it is for where a change says nothing of it, and is everybody’s where the list is empty', async () => {
    const id = await add(rule('Treasury', [{ kind: 'department', id: treasury }]));
    const change = async (content: object) => {
      const { version } = await setting();
      await succeed(world, changeRule, { as: tenant.admin, body: { version, id, rule: content } });
      return (await setting()).rules[0]?.submittedBy;
    };
    expect(await change(rule('Renamed'))).toMatchObject([{ name: 'Treasury' }]);
    expect(await change(rule('Renamed', []))).toBeNull();
    const { data: log } = await succeed(world, listReviewLogs, { as: tenant.admin });
    expect(log.items[0]?.change?.before).toContainEqual({
      text: 'Submitted by: department Treasury',
      changed: true,
    });
    expect(log.items[0]?.change?.after).toContainEqual({ text: 'Submitted by anyone', changed: true });
  });
});

describe('whom a rule names', () => {
  test('is named once, and of the company: others answer as unknown', async () => {
    const { version } = await setting();
    const ask = (submittedBy: object[]) =>
      world.ask(addRule, { as: tenant.admin, body: { version, id: newId(), rule: rule('All', submittedBy) } });
    const twice = [
      { kind: 'department', id: treasury },
      { kind: 'department', id: treasury },
    ];
    expect(await ask(twice)).toMatchObject({ status: 400, key: 'submitterExists' });
    const stranger = await world.company();
    const keys = await Promise.all(
      [stranger.admin.session.userId, newId()].flatMap((id) =>
        ['person', 'role', 'department'].map(async (kind) => (await ask([{ kind, id }])).key),
      ),
    );
    expect(new Set(keys)).toEqual(new Set(['notFound']));
    expect((await ask([{ kind: 'role', id: treasury }])).key).toBe('notFound');
  });

  test('cannot be a department that is then deleted; a member who leaves stays named, and it is said', async () => {
    const member = (await memberIn(desk)).session.userId;
    await add(
      rule('Some', [
        { kind: 'department', id: desk },
        { kind: 'person', id: member },
      ]),
    );
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update member set department_id = null where company_id = company_id() and id = ${member}`.execute(tx),
    );
    const refused = await world.ask(organisation.deleteDepartment, { as: tenant.admin, params: { id: desk } });
    expect(refused).toMatchObject({ status: 409, key: 'departmentNamed' });
    await succeed(world, organisation.deleteMember, { as: tenant.admin, body: { id: member } });
    const { rules, findings } = await setting();
    expect(rules[0]?.submittedBy).toMatchObject([
      { id: member, gone: true },
      { id: desk, gone: false },
    ]);
    const kinds = findings.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['submitterGone', 'nobodySubmits']));
    // Never everybody: a transfer of another member finds no rule.
    await switchOn();
    expect((await submit(await memberIn(null))).answer.key).toBe('approvalNoRule');
  });

  test('is said by name where a group is left without a rule', async () => {
    const outside = await memberIn(null);
    await memberIn(desk);
    const change = { kind: 'add', id: newId(), rule: rule('Treasury', [{ kind: 'department', id: treasury }]) };
    const { data } = await succeed(world, checkReviewChange, { as: tenant.admin, body: { change } });
    const gap = data.findings.find(({ kind }: { kind: string }) => kind === 'gap');
    expect(gap?.severity).toBe('problem');
    expect(gap?.text).toContain(outside.session.userName);
  });
});
