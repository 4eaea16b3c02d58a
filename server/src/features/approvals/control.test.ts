import * as approvals from '@causeway/contract/approvals.ts';
import * as control from '@causeway/contract/control.ts';
import { listNotices, setNoticePreferences } from '@causeway/contract/notices.ts';
import { noticeGroups } from '@causeway/contract/notices-rules.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { addListEntry, listNamelist } from '@causeway/contract/risk-lists.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sayInstant } from '../../platform/text/instant.ts';
import { decision } from '../../testing/approval-requests.ts';
import { randomAddress } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { companyIn, type FourEyes, idOf, inRole, ownRole, type State } from '../../testing/four-eyes.ts';
import { submit } from '../../testing/four-eyes-decisions.ts';
import { type MainApp, type Member, mainApp } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { race } from '../../testing/race.ts';
import { succeed } from '../../testing/succeed.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';

/** What becomes of a change that does not take effect at once (docs/FOUR_EYES.md has who may make which alone). */

const hourMs = 3_600_000;

let world: MainApp;
let cell: FourEyes;
let aheadMs = 0;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), { now: () => new Date(Date.now() + aheadMs) });
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(() => {
  aheadMs = 0;
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const open = async (state: State, prepare: (made: FourEyes) => Promise<void> = async () => undefined) => {
  cell = await companyIn(world, state, prepare);
};

/** The administrator gives the friend a role; returns the task. */
async function promote(roleId: string = systemRoleIds.approver): Promise<string> {
  const { admin, friend } = cell;
  const { data } = await succeed(world, organisation.editMember, {
    as: admin,
    body: await inRole(cell, friend, roleId),
  });
  expect(data).toMatchObject({ applied: false, role: { id: roleId } });
  return present(data.taskId);
}

async function roleOfFriend(): Promise<string | undefined> {
  const query = { id: idOf(cell.friend) };
  return (await succeed(world, organisation.listMembers, { as: cell.admin, query })).data.items[0]?.role.id;
}

const taskOf = async (id: string, as: Member = cell.admin) =>
  (await succeed(world, approvals.getApproval, { as, params: { id } })).data;

const stop = (as: Member, id: string, reason?: string) =>
  world.ask(control.stopChange, { as, body: { id, ...(reason ? { reason } : {}) } });

async function applyAfter(hours: number): Promise<void> {
  aheadMs = hours * hourMs + 60_000;
  await world.applyDue();
}

/** The error with which a person's approval is refused; whether they may decide is judged before the code. */
async function refusalOf(as: Member, id: string): Promise<string | undefined> {
  const body = { ids: [id], outcome: 'approved', opinion: '', codeMethod: 'email', code: '000000' };
  const answer = await world.ask(approvals.decideApprovals, { as, body });
  return answer.key ?? undefined;
}

describe('a change that waits', () => {
  beforeEach(() => open('one'));

  test('is told to everybody who approves or administers, and whom it concerns, whatever they switched off', async () => {
    const { admin, approver, friend, tenant } = cell;
    const finance = await world.member(tenant, 'finance');
    const groups = noticeGroups.filter((group) => group !== 'security').map((group) => ({ group, mail: false }));
    for (const as of [admin, approver, friend, finance]) {
      await succeed(world, setNoticePreferences, { as, body: { groups } });
    }
    await keepTimeZone(world.db.app, tenant.id, 'America/New_York');
    const id = await promote();
    const at = (await taskOf(id, friend)).effectiveAt ?? '';
    const until = sayInstant({ at, timeZone: 'America/New_York' }, 'en-us');
    // Each beside the list that is theirs; the friend of the administrator has none but their own.
    const lists = [
      [admin, 'approval'],
      [approver, 'pending-approval'],
      [friend, 'i-initiated-approval'],
    ] as const;
    for (const [as, list] of lists) {
      const { items } = (await succeed(world, listNotices, { as })).data;
      expect(items[0]).toMatchObject({
        title: 'Takes effect soon unless stopped: Edit to a member: Ada Wong',
        body: expect.stringContaining(`: Edit to a member: Ada Wong. It takes effect on ${until} unless it is stopped`),
        link: `/app/${list}/${id}`,
      });
    }
    expect((await taskOf(id, friend)).id).toBe(id);
    expect((await succeed(world, listNotices, { as: finance })).data.items).toEqual([]);
    const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
      sql<{ userId: string }>`select payload ->> 'userId' as "userId" from outbox
        where company_id = company_id() and name = 'notices.mailDue'`.execute(tx),
    );
    expect(rows.map(({ userId }) => userId)).toEqual(expect.arrayContaining([admin, approver, friend].map(idOf)));
  });

  test('is stopped by any approver with one call, and never takes effect', async () => {
    const { admin, approver, friend } = cell;
    const id = await promote();
    expect(await taskOf(id, approver)).toMatchObject({ mayStop: true, mayWithdraw: false, mayDecide: false });
    expect((await stop(friend, id)).key).toBe('noPermission');
    expect((await stop(approver, id, 'never agreed')).status).toBe(200);
    expect(await taskOf(id)).toMatchObject({ status: 'rejected', end: 'stopped', reason: 'never agreed' });
    expect((await taskOf(id)).endedBy).toBe('Ada Wong');
    expect((await stop(approver, id)).key).toBe('approvalNotPending');
    await applyAfter(24);
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
    const { items } = (await succeed(world, listNotices, { as: admin })).data;
    expect(items[0]).toMatchObject({ title: 'Stopped: Edit to a member: Ada Wong' });
  });

  test('is taken back by its proposer alone', async () => {
    const id = await promote();
    const withdraw = (as: Member) => world.ask(approvals.withdrawApproval, { as, body: { id } });
    expect((await withdraw(cell.approver)).key).toBe('approvalNotOwn');
    expect((await withdraw(cell.admin)).status).toBe(200);
    await applyAfter(24);
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
  });

  test('proposed again from another tab is the same', async () => {
    const body = await inRole(cell, cell.friend, systemRoleIds.approver);
    const propose = async (more: object = {}) =>
      (await succeed(world, organisation.editMember, { as: cell.admin, body: { ...body, ...more } })).data.taskId;
    const id = await propose();
    expect(await propose()).toBe(id);
    expect(await propose({ roleId: systemRoleIds.administrator })).not.toBe(id);
    expect((await succeed(world, control.listPendingChanges, { as: cell.admin })).data.items).toHaveLength(2);
  });

  test('says in words what it would change', async () => {
    const id = await promote();
    const { items } = (await succeed(world, control.listPendingChanges, { as: cell.approver })).data;
    expect(items).toMatchObject([{ name: 'Edit to a member: Ada Wong', by: { name: 'Ada Wong' }, mayDecide: false }]);
    expect(items[0]?.control).toEqual({ kind: 'editMember', subjectId: idOf(cell.friend) });
    expect((await taskOf(id)).content).toEqual({
      shape: 'change',
      before: expect.arrayContaining([{ text: 'Role: Viewer', changed: true }]),
      after: expect.arrayContaining([{ text: 'Role: Approver', changed: true }]),
    });
    expect((await succeed(world, control.listPendingChanges, { as: cell.friend })).data.items).toHaveLength(1);
    const finance = await world.member(cell.tenant, 'finance');
    expect((await succeed(world, control.listPendingChanges, { as: finance })).data.items).toEqual([]);
  });

  test('waits for as long as the setting said when it was proposed', async () => {
    const { data } = await succeed(world, control.getControlMode, { as: cell.admin });
    expect(data).toMatchObject({ waitingHours: 24, heldUntil: null });
    const modes = Object.fromEntries(data.modes.map(({ permission, mode }) => [permission, mode]));
    expect(modes).toEqual({
      'rule.manage': 'waits',
      'policy.manage': 'waits',
      'list.manage': 'waits',
      'setting.manage': 'waits',
      'member.manage': 'waits',
      'role.manage': 'waits',
    });
    const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', waitingHours: 48 };
    await succeed(world, organisation.setCompanySettings, { as: cell.admin, body });
    await promote();
    await applyAfter(47);
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
    await applyAfter(48);
    expect(await roleOfFriend()).toBe(systemRoleIds.approver);
  });

  test('is void where what it was made against has changed, and stopped where its proposer has lost the right', async () => {
    const { admin, friend, tenant } = cell;
    const id = await promote();
    const form = { ...(await inRole(cell, friend, systemRoleIds.viewer)), lastName: 'Chan' };
    await succeed(world, organisation.editMember, { as: admin, body: form });
    await applyAfter(24);
    expect(await taskOf(id)).toMatchObject({ end: 'voided' });
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);

    aheadMs = 0;
    const later = await promote();
    const other = await world.member(tenant, 'administrator');
    await succeed(world, organisation.setMemberStatus, { as: other, body: { id: idOf(admin), enabled: false } });
    // For seven days a person whose right another took away still counts.
    await applyAfter(24);
    expect((await taskOf(later, other)).status).toBe('pending');
    await applyAfter(24 * 7);
    expect(await taskOf(later, other)).toMatchObject({ end: 'stopped' });
    const query = { id: idOf(friend) };
    const { items } = (await succeed(world, organisation.listMembers, { as: other, query })).data;
    expect(items[0]?.role.id).toBe(systemRoleIds.viewer);
  });

  test('races with whoever stops it: exactly one of them wins', async () => {
    const { admin, approver } = cell;
    const wins = { stopped: 0, applied: 0 };
    for (let round = 0; round < 12; round += 1) {
      const account = randomAddress();
      const limits = { single: '1', daily: '1', cumulative: '1' };
      const entry = { kind: 'white', payeeType: 'crypto_address', account, limits };
      aheadMs = 0;
      const { data } = await succeed(world, addListEntry, { as: admin, body: entry });
      const id = present(data.taskId);
      aheadMs = 25 * hourMs;
      const stopping = () => stop(approver, id);
      const applying = () => Promise.all([world.applyDue(), world.applyDue()]);
      const [stopped] = await race(world.db, round, stopping, applying);
      const { end } = await taskOf(id);
      const query = { kind: 'white', keyword: account };
      const { items } = (await succeed(world, listNamelist, { as: admin, query })).data;
      if (stopped.status === 200) expect([end, items.length]).toEqual(['stopped', 0]);
      else expect([stopped.key, end, items.length]).toEqual(['approvalNotPending', 'applied', 1]);
      wins[stopped.status === 200 ? 'stopped' : 'applied'] += 1;
    }
    expect(wins.stopped).toBeGreaterThan(0);
    expect(wins.applied).toBeGreaterThan(0);
  });
});

describe('a change that needs consent', () => {
  beforeEach(() => open('two'));
  const other = () => present(cell.others[0]);
  const consent = async (id: string, outcome: 'approved' | 'rejected' = 'approved') =>
    world.ask(approvals.decideApprovals, await decision(world, other(), [id], outcome));

  test('takes effect with it, and with nothing else', async () => {
    const id = await promote();
    expect(await taskOf(id, other())).toMatchObject({
      kind: 'control_change',
      mayDecide: true,
      effectiveAt: null,
      waitingFor: 'Ada Wong',
    });
    await applyAfter(24 * 30);
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
    expect((await consent(id)).status).toBe(200);
    expect(await roleOfFriend()).toBe(systemRoleIds.approver);
  });

  test('is rejected with a reason', async () => {
    const id = await promote();
    expect((await consent(id, 'rejected')).status).toBe(200);
    expect(await taskOf(id)).toMatchObject({ status: 'rejected', end: 'rejected' });
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
  });

  test('is void once what it was made against has changed', async () => {
    const role = await ownRole(cell, ['approval.decide']);
    const id = await promote(role.id);
    const request = await decision(world, other(), [id]);
    // The role would give more than was consented to.
    await succeed(world, organisation.editRole, { as: cell.admin, body: { ...role.form, quotaUsd: '5000' } });
    expect((await world.ask(approvals.decideApprovals, request)).key).toBe('approvalVoided');
    expect(await roleOfFriend()).toBe(systemRoleIds.viewer);
  });

  test('is not made by a colleague’s consent after the proposer was taken away', async () => {
    const third = await world.member(cell.tenant, 'administrator');
    const id = await promote();
    const request = await decision(world, other(), [id]);
    await succeed(world, organisation.setMemberStatus, {
      as: third,
      body: { id: idOf(cell.admin), enabled: false },
    });
    expect((await world.ask(approvals.decideApprovals, request)).key).toBe('approvalStopped');
  });

  test('is shown with what stays as it is: as what somebody comes back', async () => {
    const { admin, approver } = cell;
    await succeed(world, organisation.setMemberStatus, { as: admin, body: { id: idOf(approver), enabled: false } });
    const form = { ...(await inRole(cell, approver, systemRoleIds.administrator)) };
    await succeed(world, organisation.editMember, { as: admin, body: form });
    const { data } = await succeed(world, organisation.setMemberStatus, {
      as: admin,
      body: { id: idOf(approver), enabled: true },
    });
    const { content } = await taskOf(present(data.taskId), other());
    expect(content).toMatchObject({
      after: expect.arrayContaining([
        { text: 'Status: Enabled', changed: true },
        { text: 'Role: Administrator', changed: true },
      ]),
    });
  });
});

test('a change that concerns an administrator is consented to by another than them', async () => {
  await open('three');
  const [concerned, third] = cell.others.map(present);
  const body = { id: idOf(present(concerned)) };
  const { data } = await succeed(world, organisation.resetMemberPassword, { as: cell.admin, body });
  const id = present(data.taskId);
  expect(await refusalOf(present(concerned), id)).toBe('approvalConcerned');
  await succeed(world, approvals.decideApprovals, await decision(world, present(third), [id]));
  expect(await taskOf(id)).toMatchObject({ status: 'approved' });
});

test('that the initiator made the approver is shown on the task, on the decision and in the audit log', async () => {
  await open('two');
  const { admin, approver, friend, others, tenant, ids } = cell;
  const id = await promote();
  await succeed(world, approvals.decideApprovals, await decision(world, present(others[0]), [id]));
  await submit(cell, admin);
  const taskId = present(ids['task']);
  const granted = expect.stringMatching(/^\d{4}-/) as string;
  const ofFriend = await taskOf(taskId, friend);
  expect(ofFriend).toMatchObject({ mayDecide: true, grantedByInitiatorAt: granted });
  const able = present(ofFriend.nodes[0]).able.map((each) => [each.id, each.grantedByInitiatorAt]);
  expect(able).toEqual(
    expect.arrayContaining([
      [idOf(friend), granted],
      [idOf(approver), null],
    ]),
  );
  expect((await taskOf(taskId, approver)).grantedByInitiatorAt).toBeNull();

  // A setting forbids it; switching the setting on narrows, so it holds at once.
  const { timeZone, codeRecipient } = (await succeed(world, organisation.getCompanySettings, { as: admin })).data;
  const strict = { timeZone, codeRecipient, forbidOwnApprovers: true };
  expect((await succeed(world, organisation.setCompanySettings, { as: admin, body: strict })).data.applied).toBe(true);
  expect(await refusalOf(friend, taskId)).toBe('approvalGrantedByInitiator');
  const lenient = { ...strict, forbidOwnApprovers: false };
  const relaxed = (await succeed(world, organisation.setCompanySettings, { as: admin, body: lenient })).data;
  const relaxing = await decision(world, present(others[0]), [present(relaxed.taskId)]);
  await succeed(world, approvals.decideApprovals, relaxing);

  await succeed(world, approvals.decideApprovals, await decision(world, friend, [taskId]));
  expect((await taskOf(taskId)).nodes[0]?.decisions).toMatchObject([{ grantedByInitiatorAt: granted }]);
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{
      detail: object;
    }>`select detail from audit_event where company_id = company_id() and action = 'approvals.approve'
      and actor_id = ${idOf(friend)}`.execute(tx),
  );
  expect(rows).toMatchObject([{ detail: { grantedByInitiatorAt: granted } }]);
});

test('a transfer whose initiator has left says so, waits for an administrator, and is adopted or ended', async () => {
  await open('three');
  const { admin, approver, ids } = cell;
  const tasks: string[] = [];
  for (const _ of [1, 2]) {
    await submit(cell, await world.member(cell.tenant, 'finance'));
    tasks.push(present(ids['task']));
  }
  const [adopted = '', ended = ''] = tasks;
  const initiator = (await taskOf(adopted)).initiator.id;
  expect((await world.ask(control.adoptApproval, { as: admin, body: { id: adopted } })).key).toBe(
    'approvalNotAbandoned',
  );
  for (const id of tasks) {
    const body = { id: (await taskOf(id)).initiator.id, enabled: false };
    await succeed(world, organisation.setMemberStatus, { as: admin, body });
  }
  expect(initiator).not.toBe(idOf(admin));
  const pending = async () =>
    (await succeed(world, approvals.listApprovals, { as: approver, query: { view: 'pending' } })).data;
  expect((await pending()).items).toEqual([]);
  expect(await taskOf(adopted)).toMatchObject({ abandoned: true, mayAdopt: true, stuck: true });
  // A clerk who manages members got a notice of it and may open it, without managing rules.
  const role = await ownRole(cell, ['member.manage', 'approval.view', 'notice.view']);
  const clerk = await world.member(cell.tenant, { id: role.id, permissions: role.permissions });
  expect(await taskOf(adopted, clerk)).toMatchObject({ abandoned: true, mayAdopt: true });
  expect(await taskOf(adopted, approver)).toMatchObject({
    abandoned: true,
    mayAdopt: false,
    obstacle: 'initiatorLeft',
  });
  expect(await refusalOf(approver, adopted)).toBe('approvalInitiatorLeft');
  await succeed(world, control.adoptApproval, { as: admin, body: { id: adopted } });
  await succeed(world, control.endApproval, { as: admin, body: { id: ended, reason: 'no longer wanted' } });
  expect((await pending()).items).toMatchObject([{ id: adopted, adoptedBy: { id: idOf(admin) }, abandoned: false }]);
  expect(await taskOf(ended)).toMatchObject({ end: 'stopped', reason: 'no longer wanted', endedBy: 'Ada Wong' });
  const transfer = { params: { id: (await taskOf(ended)).subjectId }, as: admin };
  expect((await succeed(world, getTransaction, transfer)).data).toMatchObject({ status: 'failed', stage: 'refused' });
});
