import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type ApprovalsWorld, approvalsWorld, namedColumn, TestPeople } from '../../../testing/approvals.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Named } from '../../organisation/index.ts';
import { withdrawTask } from './open-task.ts';
import { get, list } from './reading.ts';

const people = vi.hoisted(() => ({ now: null as unknown }));
vi.mock('../../organisation/index.ts', () => ({
  findPeople: async (_tx: unknown, ids?: readonly string[]) => (people.now as TestPeople).all(ids),
  findNamedPeople: async (_tx: unknown, named: Named) => (people.now as TestPeople).named(named),
  asPeople: (named: Named) => (people.now as TestPeople).named(named),
  peopleColumn: (...named: Parameters<typeof namedColumn>) => namedColumn(...named),
  timeZoneColumn: 'UTC',
  findAffiliations: async (_tx: unknown, members: readonly { memberId: string }[]) =>
    (people.now as TestPeople).affiliations(members),
  findRoleNames: async () => new Map(),
  findCalled: async () => new Map(),
  findInactive: async () => (people.now as TestPeople).inactive(),
}));

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

const refused = (key: string) => expect.objectContaining({ key });

async function taskRow(taskId: string) {
  return db.app.withCompany(world.companyId, async (tx) => {
    const { rows } = await sql<{ status: string; end: string | null; node: number; reason: string | null }>`
      select status, ended_as as "end", node, reason from approval_task
      where company_id = company_id() and id = ${taskId}`.execute(tx);
    return rows[0];
  });
}

test('nodes are passed strictly one after another, M of N in each; the last approval starts the transfer', async () => {
  const [initiator, a, b, c, d] = [staff.add(), staff.add(), staff.add(), staff.add(), staff.add()];
  await world.rules([{ nodes: [{ needed: 2, people: [a.id, b.id, c.id] }, { people: [d.id] }] }]);
  const { taskId, subjectId } = await world.submit(initiator);

  await expect(world.decide(d, [taskId])).rejects.toEqual(refused('approvalNotApprover'));
  await world.decide(a, [taskId]);
  expect(await taskRow(taskId)).toMatchObject({ status: 'pending', node: 0 });
  await expect(world.decide(a, [taskId])).rejects.toEqual(refused('approvalAlreadyDecided'));
  await world.decide(b, [taskId]);
  expect(await taskRow(taskId)).toMatchObject({ status: 'pending', node: 1 });
  await expect(world.decide(c, [taskId])).rejects.toEqual(refused('approvalNotApprover'));
  expect(world.subject.approvals).toEqual([]);
  const { answer } = await world.decide(d, [taskId]);
  expect(answer.items).toEqual([{ id: taskId, status: 'approved', end: 'approved', step: 2, steps: 2 }]);
  expect(world.subject.approvals).toEqual([subjectId]);
  await expect(world.decide(c, [taskId])).rejects.toEqual(refused('approvalNotPending'));
});

test('the initiator cannot approve their own, though an approver', async () => {
  const [initiator, other] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [initiator.id, other.id] }] }]);
  const { taskId } = await world.submit(initiator);
  await expect(world.decide(initiator, [taskId])).rejects.toEqual(refused('approvalOwn'));
});

test('nobody decides twice in a chain: neither again, nor once for themselves and once as a deputy', async () => {
  const [initiator, away, deputy, third] = [staff.add(), staff.add(), staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [deputy.id] }, { people: [away.id, third.id] }] }]);
  staff.change(away.id, { onLeave: true, deputyId: deputy.id });
  const { taskId } = await world.submit(initiator);
  await world.decide(deputy, [taskId]);
  await expect(world.decide(deputy, [taskId])).rejects.toEqual(refused('approvalAlreadyDecided'));
  await expect(world.decide(away, [taskId])).rejects.toEqual(refused('approvalNotApprover'));
  staff.change(away.id, { onLeave: false });
  await world.decide(away, [taskId]);
  expect(world.subject.approvals).toHaveLength(1);
});

test('of what began before their leave a person decides themselves, and not their deputy', async () => {
  const [initiator, away, deputy] = [staff.add(), staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [away.id] }] }]);
  const { taskId } = await world.submit(initiator);
  staff.change(away.id, { onLeave: true, deputyId: deputy.id });
  await expect(world.decide(deputy, [taskId])).rejects.toEqual(refused('approvalNotApprover'));
  await world.decide(away, [taskId]);
  expect(world.subject.approvals).toHaveLength(1);
});

test('a deputy of somebody on leave decides in their place, and uses that place up', async () => {
  const [initiator, away, deputy] = [staff.add(), staff.add(), staff.add()];
  staff.change(away.id, { onLeave: true, deputyId: deputy.id });
  await world.rules([{ nodes: [{ people: [away.id] }, { roles: [away.roleId] }] }]);
  const third = staff.add();
  const { taskId } = await world.submit(initiator);
  await world.decide(deputy, [taskId]);
  const jws = await db.app.withCompany(world.companyId, async (tx) => {
    const { rows } = await sql<{
      jws: string;
    }>`select jws from approval_decision where company_id = company_id()`.execute(tx);
    return rows[0]?.jws;
  });
  expect(jws).toContain(`"deputyFor":"${away.id}"`);
  staff.change(away.id, { onLeave: false });
  await expect(world.decide(away, [taskId])).rejects.toEqual(refused('approvalAlreadyDecided'));
  await world.decide(third, [taskId]);
  expect(world.subject.approvals).toHaveLength(1);
});

test('the initiator’s seat is nobody’s: not even a deputy approves in their place', async () => {
  const [initiator, deputy, other] = [staff.add(), staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [initiator.id, other.id] }] }]);
  const { taskId } = await world.submit(initiator);
  staff.change(initiator.id, { onLeave: true, deputyId: deputy.id });
  await expect(world.decide(deputy, [taskId])).rejects.toEqual(refused('approvalNotApprover'));
});

test('the limit is that of the moment of deciding: value < quota', async () => {
  const [initiator, a, b] = [staff.add(), staff.add({ quotaUsd: '1000.01' }), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id, b.id] }] }]);
  const { taskId } = await world.submit(initiator, 100_000n);
  staff.change(a.id, { quotaUsd: '1000.00' });
  await expect(world.decide(a, [taskId])).rejects.toEqual(refused('approvalOverLimit'));
  staff.change(a.id, { quotaUsd: '1000.01' });
  // Raised after it began: that counts for what begins later.
  await expect(world.decide(a, [taskId])).rejects.toEqual(refused('approvalTooNew'));
  await world.decide(b, [taskId]);
  await world.decide(a, [(await world.submit(initiator, 100_000n)).taskId]);
  expect(world.subject.approvals).toHaveLength(2);
});

test('any rejection ends it, with a reason, and keeps it', async () => {
  const [initiator, a, b] = [staff.add(), staff.add(), staff.add()];
  await world.rules([{ nodes: [{ needed: 2, people: [a.id, b.id] }] }]);
  const { taskId, subjectId } = await world.submit(initiator);
  await expect(world.decide(b, [taskId], 'rejected', { opinion: '  ' })).rejects.toEqual(
    refused('approvalReasonRequired'),
  );
  await world.decide(a, [taskId]);
  await world.decide(b, [taskId], 'rejected', { opinion: 'wrong invoice' });
  expect(await taskRow(taskId)).toMatchObject({ status: 'rejected', end: 'rejected', reason: 'wrong invoice' });
  expect(world.subject.ends).toEqual([
    { subjectId, end: { outcome: 'rejected', by: { id: b.id, name: b.name }, reason: 'wrong invoice' } },
  ]);
});

test('what has changed since is void, and that stays although the call is refused', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId, subjectId } = await world.submit(initiator);
  world.subject.digests.set(subjectId, 'another');
  await expect(world.decide(a, [taskId])).rejects.toEqual(refused('approvalVoided'));
  expect(await taskRow(taskId)).toMatchObject({ status: 'rejected', end: 'voided' });
  expect(world.subject.ends).toMatchObject([{ subjectId, end: { outcome: 'voided' } }]);
  expect(world.subject.approvals).toEqual([]);
});

test('what a control forbids meanwhile is stopped at an approval, and that stays', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId, subjectId } = await world.submit(initiator);
  world.subject.stops.set(subjectId, 'blacklisted');
  await expect(world.decide(a, [taskId])).rejects.toMatchObject({
    key: 'approvalStopped',
    details: { reason: 'blacklisted', task: 'Transfer to Supplier' },
  });
  expect(await taskRow(taskId)).toMatchObject({ status: 'rejected', end: 'stopped', reason: 'blacklisted' });
});

test('several at once: all of them or none', async () => {
  const [initiator, a, b] = [staff.add(), staff.add(), staff.add()];
  await world.rules([{ upper: 50_000n, nodes: [{ people: [b.id] }] }, { nodes: [{ people: [a.id] }] }]);
  const [mine, also, notMine] = [
    await world.submit(initiator),
    await world.submit(initiator),
    await world.submit(initiator, 10_000n),
  ];
  const all = [mine.taskId, also.taskId, notMine.taskId];
  await expect(world.decide(a, all)).rejects.toMatchObject({ key: 'approvalNotApprover' });
  expect(world.subject.approvals).toEqual([]);
  expect(await taskRow(mine.taskId)).toMatchObject({ status: 'pending' });
  const { answer } = await world.decide(a, [mine.taskId, also.taskId]);
  expect(answer.items.map(({ status }) => status)).toEqual(['approved', 'approved']);
});

test('a repeated request answers the first answer; a wrong code decides nothing', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId } = await world.submit(initiator);
  await expect(world.decide(a, [taskId], 'approved', { code: '000000' })).rejects.toEqual(refused('codeWrong'));
  expect(await taskRow(taskId)).toMatchObject({ status: 'pending' });
  const key = newId();
  const first = await world.decide(a, [taskId], 'approved', { key });
  const again = await world.decide(a, [taskId], 'approved', { key });
  expect(again).toEqual({ answer: first.answer, replayed: true });
  expect(world.subject.approvals).toHaveLength(1);
});

test('a submission is refused when no rule covers it, or when nobody could pass the chain', async () => {
  const [initiator, a] = [staff.add(), staff.add({ quotaUsd: '500' })];
  await world.rules([{ lower: 10_000n, upper: 60_000n, nodes: [{ people: [a.id] }] }]);
  await expect(world.submit(initiator, 9_999n)).rejects.toEqual(refused('approvalNoRule'));
  await expect(world.submit(initiator, 60_000n)).rejects.toEqual(refused('approvalNoRule'));
  await expect(world.submit(initiator, 50_000n)).rejects.toEqual(refused('approvalNobodyCan'));
  await expect(world.submit(a, 20_000n)).rejects.toEqual(refused('approvalNobodyCan'));
  await world.submit(initiator, 49_999n);
});

test('a withdrawn task cannot be decided, a decided one not be withdrawn', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const [one, two] = [await world.submit(initiator), await world.submit(initiator)];
  const withdraw = (subjectId: string) =>
    db.app.withCompany(world.companyId, (tx) =>
      withdrawTask(tx, 'transfer', subjectId, { end: 'withdrawn', reason: 'stage.reason.cancelled' }),
    );
  expect(await withdraw(one.subjectId)).toBe(true);
  expect(await withdraw(one.subjectId)).toBe(false);
  await expect(world.decide(a, [one.taskId])).rejects.toEqual(refused('approvalNotPending'));
  await world.decide(a, [two.taskId]);
  expect(await withdraw(two.subjectId)).toBe(false);
});

test('what has expired cannot be decided, though nobody has ended it yet', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId } = await world.submit(initiator);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1000 });
  try {
    await expect(world.decide(a, [taskId])).rejects.toEqual(refused('approvalNotPending'));
  } finally {
    vi.useRealTimers();
  }
  expect(world.subject.approvals).toEqual([]);
  await world.decide(a, [taskId]);
});

test('the words of a rejection are the approver’s, also when they read like the id of a sentence', async () => {
  const [initiator, a] = [staff.add(), staff.add()];
  await world.rules([{ nodes: [{ people: [a.id] }] }]);
  const { taskId } = await world.submit(initiator);
  const opinion = 'approvals.reason.expired';
  await world.decide(a, [taskId], 'rejected', { opinion });
  const { items } = await db.app.withCompany(world.companyId, (tx) =>
    list(tx, world.contextOf(initiator), { view: 'initiated' }),
  );
  expect(items).toMatchObject([{ end: 'rejected', reason: opinion }]);
  const { rows } = await db.app.withCompany(world.companyId, (tx) =>
    sql`select "values" ->> 'reason' as reason from notice
      where company_id = company_id() and kind = 'approvalRejected'`.execute(tx),
  );
  expect(rows).toEqual([{ reason: opinion }]);
});

test('a list says of each application what its own page says, though it knows only whom its page names', async () => {
  const [initiator, a, last, held] = [staff.add(), staff.add(), staff.add(), staff.add({ roleId: newId() })];
  const away = staff.add({ roleId: held.roleId, onLeave: true, deputyId: a.id });
  await world.rules([{ nodes: [{ needed: 2, roles: [held.roleId] }, { people: [last.id] }] }]);
  await world.submit(initiator);
  const compare = async (stuck: boolean) => {
    for (const person of [initiator, a, last, held, away]) {
      for (const view of ['initiated', 'pending'] as const) {
        const context = world.contextOf(person);
        await db.app.withCompany(world.companyId, async (tx) => {
          const { items } = await list(tx, context, { view });
          for (const item of items) {
            expect(await get(tx, context, item)).toMatchObject(item);
          }
          if (person === initiator && view === 'initiated') expect(items).toMatchObject([{ stuck, obstacle: 'own' }]);
          if (person === a && view === 'pending') expect(items).toMatchObject([{ mayDecide: true }]);
        });
      }
    }
  };
  await compare(false);
  staff.change(held.id, { permissions: [] });
  await compare(true);
});
