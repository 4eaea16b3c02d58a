import { systemRoleIds, systemRolePermissions } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { type ApprovalsWorld, approvalsWorld, namedColumn, TestPeople } from '../../../testing/approvals.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Named } from '../../organisation/index.ts';
import { type TendingApprovals, tendApprovals } from './expire-and-remind.ts';
import { createOpenWork } from './open-work.ts';

/** What happens to tasks by themselves: reminders, expiry, approvers who leave. */

const people = vi.hoisted(() => ({ now: null as unknown }));
vi.mock('../../organisation/index.ts', () => ({
  findPeople: async (_tx: unknown, ids?: readonly string[]) => (people.now as TestPeople).all(ids),
  findNamedPeople: async (_tx: unknown, named: Named) => (people.now as TestPeople).named(named),
  asPeople: (named: Named) => (people.now as TestPeople).named(named),
  findAffiliations: async (_tx: unknown, members: readonly { memberId: string }[]) =>
    (people.now as TestPeople).affiliations(members),
  peopleColumn: (...named: Parameters<typeof namedColumn>) => namedColumn(...named),
  timeZoneColumn: 'UTC',
}));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const log = createLog('test', 'silent');

let db: TestDatabase;
let world: ApprovalsWorld;
let staff: TestPeople;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(() => {
  world = approvalsWorld(db, newId());
  staff = new TestPeople();
  people.now = staff;
});

const tend = (afterMs: number, more: Partial<TendingApprovals> = {}) => {
  const clock = { now: () => new Date(Date.now() + afterMs) };
  return tendApprovals({ database: db.worker, subjects: world.ports.subjects, log, clock, ...more });
};

const openWork = () => createOpenWork(world.ports.subjects);

/** The notices of this company: what, and to how many. */
async function notices(): Promise<{ kind: string; to: string[] | null }[]> {
  const { rows } = await db.app.withCompany(world.companyId, (tx) =>
    sql<{ kind: string; to: string[] | null }>`
      select kind, recipients as "to" from notice where company_id = company_id() order by id`.execute(tx),
  );
  return rows;
}

async function endOf(taskId: string): Promise<{ end: string | null; reason: string | null } | undefined> {
  const { rows } = await db.app.withCompany(world.companyId, (tx) =>
    sql<{ end: string | null; reason: string | null }>`
      select ended_as as "end", reason from approval_task where company_id = company_id() and id = ${taskId}`.execute(
      tx,
    ),
  );
  return rows[0];
}

test('a task is there for seven days by default, then it expires: once, whoever tends', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId, subjectId } = await world.submit(initiator);
  await tend(7 * dayMs - hourMs);
  expect(await endOf(taskId)).toEqual({ end: null, reason: null });
  await Promise.all([tend(7 * dayMs + hourMs), tend(7 * dayMs + hourMs)]);
  expect(await endOf(taskId)).toEqual({ end: 'expired', reason: 'approvals.reason.expired' });
  const own = world.subject.ends.filter((each) => each.subjectId === subjectId);
  expect(own).toMatchObject([{ end: { outcome: 'expired', by: null } }]);
  await expect(world.decide(a, [taskId])).rejects.toMatchObject({ key: 'approvalNotPending' });
  expect((await notices()).at(-1)).toEqual({ kind: 'approvalExpired', to: [initiator.id] });
});

test('those who can decide are told at once, at each node, and again every day that it waits', async () => {
  const [initiator, a, b, away] = [staff.add(), staff.add(), staff.add(), staff.add()];
  staff.change(away.id, { onLeave: true, deputyId: b.id });
  await world.rules([{ nodes: [{ people: [a.id] }, { people: [away.id] }] }]);
  const { taskId } = await world.submit(initiator);
  expect(await notices()).toEqual([{ kind: 'approvalWaiting', to: [a.id] }]);
  await world.decide(a, [taskId]);
  expect((await notices()).at(-1)).toEqual({ kind: 'approvalWaiting', to: [b.id] });
  await tend(23 * hourMs);
  expect(await notices()).toHaveLength(2);
  await tend(25 * hourMs);
  await tend(26 * hourMs);
  expect((await notices()).slice(2)).toEqual([{ kind: 'approvalReminder', to: [b.id] }]);
  await tend(50 * hourMs);
  expect(await notices()).toHaveLength(4);
  await world.decide(b, [taskId]);
  expect((await notices()).at(-1)).toEqual({ kind: 'approvalApproved', to: [initiator.id] });
});

test('failing tasks, more than are asked for at a time, keep no other from its turn, and are tried again', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const bad = [];
  for (let index = 0; index < 5; index++) bad.push(await world.submit(initiator));
  const good = await world.submit(initiator);
  const failing = new Set(bad.map(({ subjectId }) => subjectId));
  const ended = world.subject.ended.bind(world.subject);
  vi.spyOn(world.subject, 'ended').mockImplementation(async (tx, subjectId, end) => {
    if (failing.has(subjectId)) throw new Error('it cannot be ended');
    await ended(tx, subjectId, end);
  });
  const ends = (tasks: readonly { taskId: string }[]) =>
    Promise.all(tasks.map(async ({ taskId }) => (await endOf(taskId))?.end));
  await tend(8 * dayMs, { batch: 2 });
  expect(await ends([...bad, good])).toEqual([null, null, null, null, null, 'expired']);
  failing.clear();
  await tend(8 * dayMs, { batch: 2 });
  expect(await ends(bad)).toEqual(bad.map(() => 'expired'));
});

test('what a member leaves behind is said before, and told where nobody else can take it', async () => {
  const permissions = systemRolePermissions.administrator;
  const [initiator, a, b] = [staff.add(), staff.add(), staff.add()];
  const manager = staff.add({ roleId: systemRoleIds.administrator, permissions });
  await world.rules([{ upper: 50_000n, nodes: [{ people: [a.id] }] }, { nodes: [{ people: [a.id, b.id] }] }]);
  await world.submit(initiator, 10_000n);
  await world.submit(initiator, 60_000n);
  const before = (await notices()).length;
  const ask = <T>(work: (tx: Tx) => Promise<T>) => db.app.withCompany(world.companyId, work);
  expect(await ask((tx) => openWork().describe(tx, a.id))).toEqual({ pendingDecisions: 2, pendingOwn: 0 });
  expect(await ask((tx) => openWork().describe(tx, initiator.id))).toEqual({ pendingDecisions: 0, pendingOwn: 2 });
  await ask((tx) => openWork().leaves(tx, a.id, null));
  // Of the two, one can still be approved by another member.
  const told = (await notices()).slice(before);
  expect(told).toEqual([{ kind: 'approvalStuck', to: [initiator.id, manager.id].sort() }]);
  // What they initiated waits for an administrator.
  await ask((tx) => openWork().leaves(tx, initiator.id, null));
  const abandoned = { kind: 'approvalAbandoned', to: [manager.id] };
  expect((await notices()).slice(before + 1)).toEqual([abandoned, abandoned]);
});

test('another role is told of only where nobody can approve any more with it', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  await world.submit(initiator, 60_000n);
  const before = (await notices()).length;
  const { administrator, finance, approver } = systemRolePermissions;
  const become = (roleId: string, permissions: typeof approver, quotaUsd: string | null = null) =>
    db.app.withCompany(world.companyId, (tx) => openWork().leaves(tx, a.id, { roleId, permissions, quotaUsd }));
  await become(systemRoleIds.administrator, administrator);
  await become(newId(), approver, '600.01');
  expect(await notices()).toHaveLength(before);
  await become(newId(), approver, '600.00');
  expect(await notices()).toHaveLength(before + 1);
  await become(systemRoleIds.finance, finance);
  expect((await notices()).slice(before)).toEqual(
    Array.from({ length: 2 }, () => ({ kind: 'approvalStuck', to: [initiator.id] })),
  );
});
