import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type ApprovalsWorld, approvalsWorld, namedColumn, TestPeople } from '../../../testing/approvals.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { present } from '../../../testing/present.ts';
import type { Named, Person } from '../../organisation/index.ts';
import { lockOrganisation } from '../../organisation/store/lock.ts';
import type { ApprovalSubject } from '../index.ts';
import { lockSettings } from '../store/rules.ts';

/** What a decision leaves behind: the sealed row, the audit log, the next approvers' notices; and of several, which. */

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
  lockOrganisation: (tx: Tx) => lockOrganisation(tx),
}));

let db: TestDatabase;
let world: ApprovalsWorld;
let staff: TestPeople;
let [initiator, a, b]: Person[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(() => {
  world = approvalsWorld(db, newId());
  staff = new TestPeople();
  people.now = staff;
  [initiator, a, b] = [staff.add(), staff.add(), staff.add()];
});

async function rowsOf<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return db.app.withCompany(world.companyId, async (tx) => (await statement.execute(tx)).rows);
}

const decisions = () =>
  rowsOf(sql<Record<string, unknown> & { jws: string }>`
    select task_id, approver_id, approver_name, seat_id, seat_name, role_id, node, outcome, opinion, proof_method, proof_id, jws,
      granted_at from approval_decision where company_id = company_id() order by at`);

const audited = () =>
  rowsOf(sql<{ action: string; detail: Record<string, unknown> }>`
    select actor_kind, actor_id, action, subject_kind, subject_id, detail from audit_event
    where company_id = company_id() and action like 'approvals.%' order by id`);

const endsOf = async (...tasks: { taskId: string }[]) => {
  const rows = await rowsOf(sql<{ id: string; end: string | null }>`
    select id, coalesce(ended_as, status) as "end" from approval_task where company_id = company_id()`);
  return tasks.map(({ taskId }) => rows.find(({ id }) => id === taskId)?.end);
};

const waiting = async () =>
  (await rowsOf(sql`select from notice where company_id = company_id() and kind = 'approvalWaiting'`)).length;

describe('a decision', () => {
  test('is recorded and sealed with whose place it took, and is in the audit log', async () => {
    const [one, away, deputy] = [present(a), staff.add({ roleId: newId() }), present(b)];
    staff.change(away.id, { onLeave: true, deputyId: deputy.id });
    await world.rules([{ nodes: [{ people: [one.id] }, { people: [away.id] }] }]);
    const { taskId, subjectId } = await world.submit(present(initiator));
    const digest = `digest of ${subjectId}`;
    await world.decide(one, [taskId], 'approved', { opinion: ' as agreed ' });
    await world.decide(deputy, [taskId], 'rejected', { opinion: ' no ' });

    const [first, second] = await decisions();
    const by = (approver: Person, seat: Person) => ({
      task_id: taskId,
      approver_id: approver.id,
      approver_name: approver.name,
      seat_id: seat.id,
      seat_name: seat.name,
      role_id: seat.roleId,
      proof_method: 'email',
      granted_at: null,
    });
    expect(first).toMatchObject({ ...by(one, one), node: 0, outcome: 'approved', opinion: 'as agreed' });
    expect(second).toMatchObject({ ...by(deputy, away), node: 1, outcome: 'rejected', opinion: 'no' });

    const claims = (row: typeof first) => JSON.parse(present(row).jws.replace('causeway-decision.', '')) as unknown;
    const sealed = {
      version: 1,
      companyId: world.companyId,
      taskId,
      subjectKind: 'transfer',
      subjectId,
      digest,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    const proved = (row: typeof first) => ({ method: 'email', id: row?.['proof_id'] });
    expect(claims(first)).toEqual({
      ...sealed,
      node: 0,
      approverId: one.id,
      roleId: one.roleId,
      deputyFor: null,
      outcome: 'approved',
      proof: proved(first),
    });
    expect(claims(second)).toEqual({
      ...sealed,
      node: 1,
      approverId: deputy.id,
      roleId: away.roleId,
      deputyFor: away.id,
      outcome: 'rejected',
      proof: proved(second),
    });

    const event = { actor_kind: 'user', subject_kind: 'transaction', subject_id: subjectId };
    const decided = (await audited()).filter(({ action }) => /approve$|reject$/.test(action));
    expect(decided).toEqual([
      {
        ...event,
        actor_id: one.id,
        action: 'approvals.approve',
        detail: { taskId, digest, step: 1, opinion: 'as agreed', deputyFor: null },
      },
      {
        ...event,
        actor_id: deputy.id,
        action: 'approvals.reject',
        detail: { taskId, digest, step: 2, opinion: 'no', deputyFor: away.id },
      },
    ]);
  });

  test('notifies the approvers of the next step once it is reached, and not before', async () => {
    const [one, other] = [present(a), present(b)];
    await world.rules([{ nodes: [{ needed: 2, people: [one.id, other.id] }, { people: [staff.add().id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    expect(await waiting()).toBe(1);
    const half = await world.decide(one, [taskId]);
    expect(half.answer.items).toEqual([{ id: taskId, status: 'pending', end: null, step: 1, steps: 2 }]);
    expect(await waiting()).toBe(1);
    const full = await world.decide(other, [taskId]);
    expect(full.answer.items).toEqual([{ id: taskId, status: 'pending', end: null, step: 2, steps: 2 }]);
    expect(await waiting()).toBe(2);
  });

  test('that rejects needs a reason, an approval none; what risk forbids can still be rejected', async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const [one, two] = [await world.submit(present(initiator)), await world.submit(present(initiator))];
    await expect(world.decide(present(a), [one.taskId], 'rejected', { opinion: '' })).rejects.toMatchObject({
      key: 'approvalReasonRequired',
      fields: { opinion: 'error.approvalReasonRequired' },
    });
    await world.decide(present(a), [one.taskId], 'approved', { opinion: '' });
    world.subject.stops.set(two.subjectId, 'blacklisted');
    await world.decide(present(a), [two.taskId], 'rejected', { opinion: 'no' });
    expect(await endsOf(one, two)).toEqual(['approved', 'rejected']);
  });

  test('needs no words with an approval, and says with which method its code was made', async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    await world.decide(present(a), [taskId], 'approved', { opinion: null, codeMethod: 'otp_auth' });
    expect(await decisions()).toMatchObject([{ opinion: '', proof_method: 'otp_auth' }]);
  });

  test('that others have to follow shows at once on open pages', async () => {
    await world.rules([{ nodes: [{ needed: 2, people: [present(a).id, present(b).id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    const shown = async () =>
      (
        await rowsOf(sql`
          select from outbox where company_id = company_id() and name = 'live' and payload ->> 'topic' = 'approval'
            and payload ->> 'id' = ${taskId}`)
      ).length;
    const before = await shown();
    await world.decide(present(a), [taskId]);
    expect(await shown()).toBe(before + 1);
  });

  test('comes too late from the very moment on at which the task expires', async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    const [row] = await rowsOf(sql<{ at: Date }>`
      select expires_at as at from approval_task where company_id = company_id() and id = ${taskId}`);
    vi.useFakeTimers({ toFake: ['Date'], now: present(row).at });
    try {
      await expect(world.decide(present(a), [taskId])).rejects.toMatchObject({ key: 'approvalNotPending' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is refused with the name of the task, of a task that is not there, and of who is no member', async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    await expect(world.decide(present(b), [taskId])).rejects.toMatchObject({
      key: 'approvalNotApprover',
      details: { task: 'Transfer to Supplier' },
    });
    await expect(world.decide(present(a), [taskId, newId()])).rejects.toMatchObject({ key: 'notFound' });
    const stranger = { ...present(a), id: newId() };
    await expect(world.decide(stranger, [taskId])).rejects.toMatchObject({ key: 'noPermission' });
    expect(await endsOf({ taskId })).toEqual(['pending']);
  });
});

/** Others' locks, held until `release`. */
async function holding(...locks: ((tx: Tx) => Promise<unknown>)[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const done = db.app.withCompany(world.companyId, async (tx) => {
    for (const lock of locks) await lock(tx);
    taken.resolve();
    await promise;
  });
  await taken.promise;
  return {
    async release() {
      resolve();
      await done;
    },
  };
}

const waitingForLock = () =>
  vi.waitFor(
    async () => {
      const { rows } = await db.app.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000 },
  );

/** As the operator freezes the company or a wallet of it. */
const freezing = (tx: Tx) => sql`select pg_advisory_xact_lock(freeze_lock(company_id()))`.execute(tx);

describe('a decision on what changes the company itself, or takes effect at once', () => {
  test.each([
    ['freezes', freezing],
    ['organisation', lockOrganisation],
    ['settings', lockSettings],
  ] as const)('waits for others who hold the lock of its %s', async (name, lock) => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const { taskId, subjectId } = await world.submit(present(initiator));
    world.subject.locks = [name];
    const other = await holding(lock);
    const before: string[] = [];
    const decided = world.decide(present(a), [taskId]);
    await Promise.race([waitingForLock(), decided]).finally(() => {
      before.push(...world.subject.approvals);
      return other.release();
    });
    await decided;
    expect(before).toEqual([]);
    expect(world.subject.approvals).toEqual([subjectId]);
  });

  test('others wait for no such lock', async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    const { taskId } = await world.submit(present(initiator));
    const other = await holding(freezing, lockOrganisation, lockSettings);
    const decided = world.decide(present(a), [taskId]);
    const first = await Promise.race([decided.then(() => 'decided'), waitingForLock().then(() => 'waits')]);
    await other.release();
    expect(first).toBe('decided');
  });
});

describe('in a company that the operator has frozen', () => {
  const frozen = { isFrozen: true };
  /** Of the same content as a transfer. */
  const ruleChange = (): ApprovalSubject =>
    Object.assign(Object.create(world.subject) as ApprovalSubject, { kind: 'rule_change', shape: 'change' });
  const submitted = (subject: ApprovalSubject = world.subject) => world.submit(present(initiator), 100_000n, subject);
  beforeEach(async () => {
    world.ports.subjects.set('rule_change', ruleChange());
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
  });

  test('a payment can be approved, since it waits; what would take effect at once cannot', async () => {
    const [payment, rule] = [await submitted(), await submitted(ruleChange())];
    for (const tasks of [[rule], [payment, rule]]) {
      const decided = world.decide(
        present(a),
        tasks.map(({ taskId }) => taskId),
        'approved',
        frozen,
      );
      await expect(decided).rejects.toMatchObject({ key: 'companyFrozen' });
    }
    await world.decide(present(a), [payment.taskId], 'approved', frozen);
    expect(await endsOf(payment, rule)).toEqual(['approved', 'pending']);
  });

  test('both can be rejected', async () => {
    const tasks = [await submitted(), await submitted(ruleChange())];
    await world.decide(
      present(a),
      tasks.map(({ taskId }) => taskId),
      'rejected',
      frozen,
    );
    expect(await endsOf(...tasks)).toEqual(['rejected', 'rejected']);
  });

  test('once it is unfrozen, what takes effect at once can be approved again', async () => {
    const rule = await submitted(ruleChange());
    await world.decide(present(a), [rule.taskId]);
    expect(await endsOf(rule)).toEqual(['approved']);
  });
});

describe('of several tasks', () => {
  test('each counts its own approvals', async () => {
    await world.rules([{ nodes: [{ needed: 2, people: [present(a).id, present(b).id] }] }]);
    const [one, two] = [await world.submit(present(initiator)), await world.submit(present(initiator))];
    await world.decide(present(a), [one.taskId]);
    await world.decide(present(b), [one.taskId, two.taskId]);
    expect(await endsOf(one, two)).toEqual(['approved', 'pending']);
  });

  const three = async () => {
    await world.rules([{ nodes: [{ people: [present(a).id] }] }]);
    return Promise.all([1, 2, 3].map(() => world.submit(present(initiator))));
  };
  const ids = (tasks: readonly { taskId: string }[]) => tasks.map(({ taskId }) => taskId);

  test('all that have changed are void, the others stay as they were', async () => {
    const [one, two, same] = await three();
    for (const { subjectId } of [present(one), present(two)]) world.subject.digests.set(subjectId, 'another');
    await expect(world.decide(present(a), ids([present(one), present(same), present(two)]))).rejects.toMatchObject({
      key: 'approvalVoided',
      details: { task: 'Transfer to Supplier' },
    });
    expect(await endsOf(present(one), present(two), present(same))).toEqual(['voided', 'voided', 'pending']);
    const by = { outcome: 'voided', by: null, reason: 'approvals.reason.changed' };
    expect(world.subject.ends.map(({ end }) => end)).toEqual([by, by]);
    expect(await decisions()).toEqual([]);
  });

  test('all that risk stops are stopped, each with its reason, the others stay as they were', async () => {
    const [one, two, free] = await three();
    world.subject.stops.set(present(one).subjectId, 'blacklisted');
    world.subject.stops.set(present(two).subjectId, 'too much');
    await expect(world.decide(present(a), ids([present(one), present(free), present(two)]))).rejects.toMatchObject({
      key: 'approvalStopped',
    });
    expect(await endsOf(present(one), present(two), present(free))).toEqual(['stopped', 'stopped', 'pending']);
    expect(world.subject.ends.map(({ end }) => end)).toEqual(
      expect.arrayContaining([
        { outcome: 'stopped', by: null, reason: 'blacklisted' },
        { outcome: 'stopped', by: null, reason: 'too much' },
      ]),
    );
    expect(await decisions()).toEqual([]);
  });

  test('none is decided where the decision on one changes what another is about', async () => {
    const tasks = await three();
    vi.spyOn(world.subject, 'approved').mockImplementation(async (_tx, approved) => {
      for (const { subjectId } of tasks) if (subjectId !== approved) world.subject.digests.set(subjectId, 'another');
    });
    await expect(world.decide(present(a), ids(tasks))).rejects.toMatchObject({
      key: 'approvalVoided',
      details: { task: 'Transfer to Supplier' },
    });
    expect(await endsOf(...tasks)).toEqual(['pending', 'pending', 'pending']);
    expect(await decisions()).toEqual([]);
  });
});
