import * as approvals from '@causeway/contract/approvals.ts';
import { maxRules } from '@causeway/contract/approvals-rules.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { countWaitingFor } from './index.ts';
import { writeRule } from './store/rules.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const role = (name: keyof typeof systemRoleIds) => ({ kind: 'role', id: systemRoleIds[name] });
const person = (member: Member) => ({ kind: 'person', id: member.session.userId });
const rule = (more: object = {}) => ({
  name: 'Usual payments',
  lower: '0',
  upper: '10000',
  nodes: [{ approvers: [role('approver')], needed: 1 }],
  active: true,
  ...more,
});

const settings = async (as = tenant.admin) => (await succeed(world, approvals.getReviewSetting, { as })).data;

async function add(content: object, as = tenant.admin) {
  const { version } = await settings(as);
  return world.ask(approvals.addRule, { as, body: { version, id: newId(), rule: content } });
}

async function switchTo(enabled: boolean, as = tenant.admin) {
  const subject = { kind: 'review', content: { enabled } };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
  const body = { enabled, codeMethod: 'email', code: await world.takeCode() };
  return world.ask(approvals.setReviewEnabled, { as, body });
}

async function auditActions(): Promise<string[]> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ action: string }>`select action from audit_event where company_id = company_id()
      and action like 'approvals.%' order by id`.execute(tx),
  );
  return rows.map(({ action }) => action);
}

describe('one administrator', () => {
  test('changes rules at once; versions, order, log and audit trail follow', async () => {
    expect((await add(rule())).data).toEqual({ applied: true, taskId: null, effectiveAt: null });
    expect((await add(rule({ name: 'Large payments', lower: '10000', upper: null }))).data.applied).toBe(true);
    const [first, second] = (await settings()).rules;
    expect(first).toMatchObject({ name: 'Usual payments', position: 1, version: 1, lower: '0.00', upper: '10000.00' });
    expect(first!.nodes[0!]!.approvers).toEqual([{ ...role('approver'), name: 'Approver', gone: false }]);

    const { version } = await settings();
    const changed = rule({ name: 'Daily payments' });
    await succeed(world, approvals.changeRule, { as: tenant.admin, body: { version, id: first!.id, rule: changed } });
    const order = { version: version + 1, ids: [second!.id, first!.id] };
    await succeed(world, approvals.orderRules, { as: tenant.admin, body: order });
    const now = await settings();
    expect(now.rules.map(({ name, version: of }: { name: string; version: number }) => [name, of])).toEqual([
      ['Large payments', 1],
      ['Daily payments', 2],
    ]);
    await succeed(world, approvals.deleteRule, { as: tenant.admin, body: { version: now.version, id: second!.id } });
    expect((await settings()).rules).toHaveLength(1);

    const { items } = (await succeed(world, approvals.listReviewLogs, { as: tenant.admin })).data;
    expect(items.map(({ text }: { text: string }) => text)).toEqual([
      'Deleted the approval rule “Large payments”',
      'Reordered the approval rules',
      'Changed the approval rule “Daily payments”',
      'Added the approval rule “Large payments”',
      'Added the approval rule “Usual payments”',
    ]);
    const same = [
      { text: '0.00 ≤ value < 10,000.00 USD', changed: false },
      { text: 'Submitted by anyone', changed: false },
      { text: 'Active', changed: false },
      { text: 'Step 1: 1 approval from Approver', changed: false },
    ];
    expect(items[2]!.change).toEqual({
      before: [{ text: 'Usual payments', changed: true }, ...same],
      after: [{ text: changed.name, changed: true }, ...same],
    });
    expect(await auditActions()).toEqual([
      'approvals.addRule',
      'approvals.addRule',
      'approvals.changeRule',
      'approvals.orderRules',
      'approvals.deleteRule',
    ]);
  });

  test('switches review on and off with a code, which holds for that direction alone', async () => {
    expect((await switchTo(true)).data).toEqual({ applied: true, taskId: null, effectiveAt: null });
    expect((await settings()).enabled).toBe(true);
    const as = await world.member(tenant, 'finance');
    expect(await world.ask(approvals.setReviewEnabled, { as, body: {} })).toMatchObject({ status: 403 });
    const body = { enabled: false, codeMethod: 'email', code: '000000' };
    expect((await world.ask(approvals.setReviewEnabled, { as: tenant.admin, body })).key).toBe('codeWrong');
    expect((await settings()).enabled).toBe(true);
    expect(await auditActions()).toEqual(['approvals.enableReview']);
  });

  test('has at most a hundred rules', async () => {
    await world.db.app.withCompany(tenant.id, async (tx) => {
      const written = { version: 1, name: 'Rule', upperCents: null, submitters: null, nodes: [], active: false };
      for (let position = 1; position < maxRules; position++) {
        const { userId: id, userName: name } = tenant.admin.session;
        await writeRule(tx, { ...written, id: newId(), lowerCents: 0n }, position, { id, name });
      }
    });
    expect((await add(rule({ name: 'The last' }))).status).toBe(200);
    const content = rule({ name: 'One too many', lower: '10000', upper: null });
    expect(await add(content)).toMatchObject({ status: 400, key: 'tooManyRules' });
  });

  test('cannot save over what somebody else changed meanwhile', async () => {
    const { version } = await settings();
    await add(rule());
    const body = { version, id: newId(), rule: rule() };
    expect(await world.ask(approvals.addRule, { as: tenant.admin, body })).toMatchObject({
      status: 409,
      key: 'reviewChanged',
    });
  });
});

describe('a rule', () => {
  test('is refused with the words of the specification where it cannot be', async () => {
    const twice = {
      nodes: [
        { approvers: [person(tenant.admin)], needed: 1 },
        { approvers: [role('finance'), person(tenant.admin)], needed: 1 },
      ],
    };
    const refused = await add(rule(twice));
    expect(refused).toMatchObject({ status: 400, key: 'approverExists', errors: ['The approver already exists!'] });
    expect(refused.fields).toEqual({ 'rule.nodes.1.approvers.1': 'The approver already exists!' });
    const bad: [object, string][] = [
      [{ lower: '10', upper: '10' }, 'rule.upper'],
      [{ lower: '10', upper: '9.99' }, 'rule.upper'],
      [{ name: ' ' }, 'rule.name'],
      [{ lower: '0.001' }, 'rule.lower'],
      [{ nodes: [] }, 'rule.nodes'],
      [{ nodes: [{ approvers: [], needed: 1 }] }, 'rule.nodes.0.approvers'],
      [{ nodes: [{ approvers: [person(tenant.admin)], needed: 2 }] }, 'rule.nodes.0.needed'],
    ];
    for (const [more, field] of bad) {
      const answer = await add(rule(more));
      expect(answer).toMatchObject({ status: 400, key: 'validationFailed' });
      expect(Object.keys(answer.fields)).toEqual([field]);
    }
    expect((await add(rule({ nodes: [{ approvers: [{ kind: 'person', id: newId() }], needed: 1 }] }))).status).toBe(
      404,
    );
  });

  test('is checked before it is saved, and the findings stay on the page', async () => {
    await add(rule());
    const change = { kind: 'add', id: newId(), rule: rule({ lower: '5000', upper: '20000' }) };
    const { findings } = (await succeed(world, approvals.checkReviewChange, { as: tenant.admin, body: { change } }))
      .data;
    const texts = findings.map(({ text }: { text: string }) => text);
    expect(texts).toContain(
      'No rule covers 20,000.00 US dollars or more. While review is on, such transfers are refused.',
    );
    expect(texts).toContain(
      '“Usual payments” and “Usual payments” both cover 5,000.00 to less than 10,000.00 US dollars. “Usual payments” comes first, so it applies.',
    );
    // No member holds the role.
    expect(texts).toContain('“Usual payments”, step 1: no member with the role Approver can approve.');
    const shown = (await settings()).findings.map(({ kind }: { kind: string }) => kind);
    expect(shown).toEqual(['gap', 'roleEmpty', 'nodeCannotPass', 'nobodyCanApprove']);
    await world.member(tenant, 'approver');
    expect((await settings()).findings.map(({ kind }: { kind: string }) => kind)).toEqual(['gap']);
  });
});

describe('two administrators', () => {
  let second: Member;
  beforeEach(async () => {
    second = await world.member(tenant, 'administrator');
  });

  test('a change waits until the other has approved it, with its before and after to see', async () => {
    const proposed = (await add(rule())).data;
    expect(proposed).toMatchObject({ applied: false });
    expect(await settings()).toMatchObject({ rules: [], dualControl: true, proposals: [{ taskId: proposed.taskId }] });

    const own = await decision(world, tenant.admin, [proposed.taskId!]);
    expect(await world.ask(approvals.decideApprovals, own)).toMatchObject({ status: 403, key: 'approvalOwn' });
    const todo = (await succeed(world, approvals.listTodo, { as: second })).data;
    expect(todo.waitingForMe).toMatchObject({
      count: 1,
      items: [{ taskId: proposed.taskId, name: 'New approval rule: Usual payments', initiator: 'Ada Wong' }],
    });
    const waiting = (person: Member) =>
      world.db.worker.withCompany(tenant.id, (tx) => countWaitingFor(tx, person.session.userId));
    expect([await waiting(second), await waiting(tenant.admin)]).toEqual([1, 0]);
    const params = { id: proposed.taskId! };
    const { data: task } = await succeed(world, approvals.getApproval, { as: second, params });
    expect(task).toMatchObject({
      kind: 'rule_change',
      mayDecide: true,
      waitingFor: task.nodes[0]?.able[0]?.name,
      content: {
        shape: 'change',
        before: [],
        after: expect.arrayContaining([{ text: 'Usual payments', changed: true }]),
      },
      nodes: [{ state: 'current', needed: 1, able: [{ id: second.session.userId }] }],
    });

    const { data } = await succeed(world, approvals.decideApprovals, await decision(world, second, [proposed.taskId!]));
    expect(data.items).toMatchObject([{ status: 'approved', end: 'approved' }]);
    expect(await settings()).toMatchObject({
      rules: [{ name: 'Usual payments', changedBy: 'Ada Wong' }],
      proposals: [],
    });
    expect(await auditActions()).toEqual(['approvals.propose', 'approvals.approve', 'approvals.addRule']);
    const { items: logs } = (await succeed(world, approvals.listReviewLogs, { as: second })).data;
    expect(logs.map(({ action }: { action: string }) => action)).toEqual(['ruleAdded', 'changeProposed']);
  });

  test('what was proposed against other settings is void once they change', async () => {
    const [one, two] = [(await add(rule())).data, (await add(rule({ name: 'Other' }), second)).data];
    await succeed(world, approvals.decideApprovals, await decision(world, second, [one.taskId!]));
    const params = { id: two.taskId! };
    const { data } = await succeed(world, approvals.getApproval, { as: tenant.admin, params });
    expect(data).toMatchObject({
      status: 'rejected',
      end: 'voided',
      reason: 'The approval settings have been changed in the meantime.',
      nodes: [{ state: 'ended' }],
    });
    expect((await settings()).rules).toHaveLength(1);
  });

  test('switching review off needs both, and a rejection needs its reason', async () => {
    expect((await switchTo(true)).data.applied).toBe(true);
    const { data } = await switchTo(false);
    expect(data.applied).toBe(false);
    const request = await decision(world, second, [data.taskId!], 'rejected');
    const silent = { ...request, body: { ...request.body, opinion: ' ' } };
    const refused = await world.ask(approvals.decideApprovals, silent);
    expect(refused).toMatchObject({
      status: 400,
      key: 'approvalReasonRequired',
      errors: ['Reason for rejection must be filled in for review rejection'],
    });
    expect(Object.keys(refused.fields)).toEqual(['opinion']);
    await succeed(world, approvals.decideApprovals, request);
    expect((await settings()).enabled).toBe(true);
    const query = { view: 'initiated', status: 'rejected' };
    const { items } = (await succeed(world, approvals.listApprovals, { as: tenant.admin, query })).data;
    expect(items).toMatchObject([{ id: data.taskId, end: 'rejected', reason: 'seen' }]);
  });

  test('whoever proposed a change takes it back, nobody else does, and not once it is decided', async () => {
    const [taken, decided] = [(await add(rule())).data.taskId!, (await add(rule({ name: 'Other' }))).data.taskId!];
    const withdraw = (as: Member, id: string) => world.ask(approvals.withdrawApproval, { as, body: { id } });
    expect(await withdraw(second, taken)).toMatchObject({
      status: 403,
      key: 'approvalNotOwn',
      errors: ['Only the initiator can withdraw this: New approval rule: Usual payments'],
    });
    expect((await withdraw(tenant.admin, newId())).key).toBe('notFound');
    const late = await decision(world, second, [taken]);
    expect(await withdraw(tenant.admin, taken)).toMatchObject({ status: 200, data: null });
    expect(await withdraw(tenant.admin, taken)).toMatchObject({ status: 409, key: 'approvalNotPending' });
    expect((await world.ask(approvals.decideApprovals, late)).key).toBe('approvalNotPending');
    const { data } = await succeed(world, approvals.getApproval, { as: second, params: { id: taken } });
    expect(data).toMatchObject({ status: 'rejected', end: 'withdrawn', reason: null, nodes: [{ state: 'ended' }] });
    expect((await settings()).proposals.map(({ taskId }: { taskId: string }) => taskId)).toEqual([decided]);

    await succeed(world, approvals.decideApprovals, await decision(world, second, [decided]));
    expect((await withdraw(tenant.admin, decided)).key).toBe('approvalNotPending');
    expect((await settings()).rules).toMatchObject([{ name: 'Other' }]);
    const { items } = (await succeed(world, approvals.listReviewLogs, { as: second })).data;
    expect(items.map(({ text }: { text: string }) => text)).toContain(
      'Proposal ended (Withdrawn): New approval rule: Usual payments',
    );
    expect(await auditActions()).toContain('approvals.withdraw');
  });

  test('a change is withdrawn or approved, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = (await add(rule({ name: `Round ${round}` }))).data;
      const approval = await decision(world, second, [taskId!]);
      const before = (await settings()).rules.length;
      const both = [
        () => world.ask(approvals.withdrawApproval, { as: tenant.admin, body: { id: taskId! } }),
        () => world.ask(approvals.decideApprovals, approval),
      ];
      if (round % 2 === 1) both.reverse();
      const answers = await Promise.all(both.map((start) => start()));
      if (round % 2 === 1) answers.reverse();
      const [withdrawn, approved] = answers.map(({ status }) => status === 200);
      expect([withdrawn, approved].filter(Boolean)).toHaveLength(1);
      expect((await settings()).rules).toHaveLength(before + (approved ? 1 : 0));
    }
  });

  test('a code for one decision is of no use for another', async () => {
    const [one, two] = [(await add(rule())).data, (await add(rule({ name: 'Other' }))).data];
    const request = await decision(world, second, [one.taskId!], 'rejected');
    const other = { ...request, body: { ...request.body, ids: [two.taskId!] } };
    expect((await world.ask(approvals.decideApprovals, other)).key).toBe('transferCodeMismatch');
    const turned = { ...request, body: { ...request.body, outcome: 'approved' } };
    expect((await world.ask(approvals.decideApprovals, turned)).key).toBe('transferCodeMismatch');
    await succeed(world, approvals.decideApprovals, request);
  });

  test('lists show to each what is theirs', async () => {
    const { data } = await add(rule());
    const viewer = await world.member(tenant, 'viewer');
    const seen = async (as: Member, view: string) => {
      const answer = await world.ask(approvals.listApprovals, { as, query: { view } });
      return answer.status === 200 ? answer.data.items.length : answer.status;
    };
    expect([await seen(tenant.admin, 'initiated'), await seen(tenant.admin, 'pending')]).toEqual([1, 0]);
    expect([await seen(second, 'initiated'), await seen(second, 'pending')]).toEqual([0, 1]);
    expect([await seen(viewer, 'pending'), await seen(viewer, 'completed'), await seen(viewer, 'all')]).toEqual([
      0, 0, 403,
    ]);
    expect(await seen(second, 'all')).toBe(1);
    const hidden = await world.ask(approvals.getApproval, { as: viewer, params: { id: data.taskId! } });
    expect(hidden).toMatchObject({ status: 404, key: 'notFound' });
    await succeed(world, approvals.decideApprovals, await decision(world, second, [data.taskId!]));
    expect([await seen(second, 'completed'), await seen(second, 'pending'), await seen(viewer, 'completed')]).toEqual([
      1, 0, 0,
    ]);
    const query = { view: 'all', keyword: 'USUAL', kind: 'rule_change', from: '2020-01-01T00:00:00.000Z' };
    expect((await succeed(world, approvals.listApprovals, { as: second, query })).data.items).toHaveLength(1);
  });

  test('pages hold together in both orders', async () => {
    for (let index = 0; index < 12; index++) await add(rule({ name: `Rule ${index}` }));
    for (const order of ['asc', 'desc']) {
      const query = { view: 'initiated', size: '10', order };
      const first = (await succeed(world, approvals.listApprovals, { as: tenant.admin, query })).data;
      const more = { ...query, cursor: first.next! };
      const last = (await succeed(world, approvals.listApprovals, { as: tenant.admin, query: more })).data;
      const names = [...first.items, ...last.items].map(({ name }: { name: string }) => name);
      expect(names).toHaveLength(12);
      expect(names[0]).toBe(`New approval rule: Rule ${order === 'asc' ? 0 : 11}`);
      expect(new Set(names).size).toBe(12);
      expect(last.next).toBeNull();
    }
  });
});

test('whoever is being disabled decides nothing more, however late their decision is looked at', async () => {
  const second = await world.member(tenant, 'administrator');
  const { taskId } = (await add(rule())).data;
  const request = await decision(world, second, [taskId!]);
  let answer: ReturnType<MainApp['ask']> | undefined;
  await world.db.app.withCompany(tenant.id, async (tx) => {
    await sql`update member set disabled_at = now()
      where company_id = company_id() and id = ${second.session.userId}`.execute(tx);
    // The session still holds for everybody else: the decision is on its way, and must wait for this to be over.
    answer = world.ask(approvals.decideApprovals, request);
    await expect.poll(waitingForLock, { timeout: 20_000 }).toBeGreaterThan(0);
  });
  expect(await answer).toMatchObject({ status: 403, key: 'noPermission' });
  expect((await settings()).rules).toEqual([]);
});

async function waitingForLock(): Promise<number> {
  const { rows } = await world.db.app.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
