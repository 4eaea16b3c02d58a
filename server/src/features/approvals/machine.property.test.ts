import { systemRolePermissions } from '@causeway/contract/permission.ts';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/process/log.ts';
import { type ApprovalsWorld, approvalsWorld, namedColumn, TestPeople } from '../../testing/approvals.ts';
import { ApprovalsModel, type ModelTask } from '../../testing/approvals-model.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Named, Person } from '../organisation/index.ts';
import { tendApprovals } from './service/expire-and-remind.ts';
import { withdrawTask } from './service/open-task.ts';
import { list } from './service/reading.ts';

/**
 * Random histories of a company's approvals on a real database, against a model that keeps plain lists and decides by reading
 * the rules of decisions, "Approvals and risk" word for word. It knows nothing of seats, matchings or SQL.
 */

const people = vi.hoisted(() => ({ now: null as unknown }));
vi.mock('../organisation/index.ts', () => ({
  findPeople: async (_tx: unknown, ids?: readonly string[]) => (people.now as TestPeople).all(ids),
  findNamedPeople: async (_tx: unknown, named: Named) => (people.now as TestPeople).named(named),
  asPeople: (named: Named) => (people.now as TestPeople).named(named),
  findAffiliations: async (_tx: unknown, members: readonly { memberId: string }[]) =>
    (people.now as TestPeople).affiliations(members),
  peopleColumn: (...named: Parameters<typeof namedColumn>) => namedColumn(...named),
  timeZoneColumn: 'UTC',
  findRoleNames: async () => new Map(),
  findInactive: async () => (people.now as TestPeople).inactive(),
}));

const histories = Math.ceil(Number(process.env['PROOF_ROUNDS'] ?? 20) / 10);
const staffSize = 5;
const roleIds = [newId(), newId()];
const log = createLog('test', 'silent');

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

type Step =
  | { do: 'submit'; who: number; cents: bigint }
  | { do: 'approve' | 'reject'; who: number; task: number; apt: boolean }
  | { do: 'withdraw' | 'tamper' | 'forbid'; task: number }
  | { do: 'expire' | 'remind' }
  | {
      do: 'rules';
      rules: { lower: bigint; width: bigint | null; nodes: { needed: number; who: number[]; roles: number[] }[] }[];
    }
  | {
      do: 'person';
      who: number;
      change: 'disable' | 'enable' | 'leave' | 'return' | 'quota' | 'noQuota' | 'role';
      other: number;
    };

const who = fc.nat({ max: staffSize - 1 });
/** Counted from the newest: most that happens, happens to what is still open. */
const task = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 5);
/** Whether an eligible approver decides, if there is one; left to chance, hardly a chain would come to its end. */
const apt = fc.constantFrom(true, true, false);
const amounts = fc.constantFrom(100n, 4_999n, 5_000n, 9_999n, 10_000n);
const node = fc.record({
  needed: fc.constantFrom(1, 1, 1, 2),
  who: fc.uniqueArray(who, { minLength: 1, maxLength: 4 }),
  roles: fc.uniqueArray(fc.nat({ max: 1 }), { maxLength: 1 }),
});
const rules = fc.record({
  do: fc.constant('rules' as const),
  rules: fc.array(
    fc.record({
      lower: fc.constantFrom(0n, 0n, 0n, 5_000n),
      width: fc.constantFrom(5_000n, null, null, null),
      nodes: fc.array(node, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('submit' as const), who, cents: amounts }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('approve' as const), who, task, apt }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject' as const), who, task, apt }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('withdraw' as const, 'tamper' as const, 'forbid' as const), task }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('expire' as const, 'remind' as const) }) },
  { weight: 1, arbitrary: rules },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('person' as const),
      who,
      change: fc.constantFrom<('disable' | 'enable' | 'leave' | 'return' | 'quota' | 'noQuota' | 'role')[]>(
        'disable',
        'enable',
        'enable',
        'leave',
        'leave',
        'return',
        'quota',
        'noQuota',
        'role',
      ),
      other: who,
    }),
  },
);
const history = fc.record({ first: rules, steps: fc.array(step, { minLength: 15, maxLength: 40 }) });

async function play({ first, steps }: { first: Step & { do: 'rules' }; steps: Step[] }): Promise<void> {
  const staff = new TestPeople();
  people.now = staff;
  const world = approvalsWorld(db, newId());
  const permissions = systemRolePermissions.administrator;
  const ids = Array.from(
    { length: staffSize },
    (_, index) => staff.add({ roleId: roleIds[index % 2] ?? '', permissions }).id,
  );
  const model = new ApprovalsModel(() => staff.all());
  for (const [index, each] of [first, ...steps].entries()) {
    await take(each, world, model, staff, ids);
    // Everybody's list at the end, on the way one after another's.
    await compare(
      world,
      model,
      staff,
      index === steps.length ? ids : ids.slice(index % staffSize, (index % staffSize) + 1),
    );
  }
}

const kept = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: { key?: string }) => {
      if (error.key === undefined) throw error;
      return false;
    },
  );

/** What the histories came to: such as never approve anything would prove nothing. */
const tally = { submitted: 0, refused: 0, decided: 0, kept: 0 };

async function take(
  each: Step,
  world: ApprovalsWorld,
  model: ApprovalsModel,
  staff: TestPeople,
  ids: readonly string[],
): Promise<void> {
  const idOf = (index: number) => ids[index] ?? '';
  const personOf = (index: number) => model.person(idOf(index)) as Person;
  const taskOf = (index: number) => model.tasks.at(-1 - (index % Math.max(1, model.tasks.length)));
  if (each.do === 'rules') {
    model.rules = each.rules.map(({ lower, width, nodes }) => ({
      lower,
      upper: width === null ? null : lower + width,
      nodes: nodes.map((one) => ({
        needed: one.needed,
        people: one.who.map(idOf),
        roles: one.roles.map((index) => roleIds[index] ?? ''),
      })),
    }));
    await world.rules(model.rules);
  } else if (each.do === 'submit') {
    const rule = model.ruleFor(each.cents);
    const fresh: ModelTask | undefined = rule && {
      taskId: '',
      subjectId: '',
      initiator: idOf(each.who),
      cents: each.cents,
      nodes: rule.nodes,
      began: null,
      node: 0,
      state: 'pending',
      acts: [],
      tampered: false,
      forbidden: false,
    };
    const expected = fresh !== undefined && model.couldPass(fresh);
    let made: { taskId: string; subjectId: string } | undefined;
    const submitted = await kept(
      world.submit(personOf(each.who), each.cents).then((ids) => {
        made = ids;
      }),
    );
    expect(submitted, 'a submission is taken').toBe(expected);
    tally[submitted ? 'submitted' : 'refused'] += 1;
    if (fresh && made) model.tasks.push({ ...fresh, ...made, began: model.past.length });
  } else if (each.do === 'approve' || each.do === 'reject') {
    const about = taskOf(each.task);
    if (!about) return;
    const approve = each.do === 'approve';
    const able = each.apt ? ids.filter((id) => model.mayDecide(id, about)) : [];
    const by = able[each.who % Math.max(1, able.length)] ?? idOf(each.who);
    const expected = model.decide(by, about, approve);
    const outcome = approve ? 'approved' : 'rejected';
    const taken = await kept(world.decide(model.person(by) as Person, [about.taskId], outcome));
    expect(taken, 'a decision is taken').toBe(expected);
    tally[taken ? 'decided' : 'kept'] += 1;
  } else if (each.do === 'withdraw') {
    const about = taskOf(each.task);
    if (!about) return;
    const end = { end: 'withdrawn', reason: 'stage.reason.cancelled' } as const;
    const done = await db.app.withCompany(world.companyId, (tx) => withdrawTask(tx, 'transfer', about.subjectId, end));
    expect(done).toBe(about.state === 'pending');
    if (done) about.state = 'withdrawn';
  } else if (each.do === 'tamper' || each.do === 'forbid') {
    const about = taskOf(each.task);
    if (!about) return;
    if (each.do === 'tamper') {
      about.tampered = true;
      world.subject.digests.set(about.subjectId, 'another');
    } else {
      about.forbidden = true;
      world.subject.stops.set(about.subjectId, 'forbidden');
    }
  } else if (each.do === 'person') {
    const changes = {
      disable: { status: 'disabled', permissions: [] },
      enable: { status: 'active', permissions: systemRolePermissions.administrator },
      leave: { onLeave: true, deputyId: each.other === each.who ? null : idOf(each.other) },
      return: { onLeave: false },
      quota: { quotaUsd: '50' },
      noQuota: { quotaUsd: null },
      role: { roleId: roleIds[each.other % 2] ?? '' },
    } as const;
    model.past.push(staff.all().map((person) => ({ ...person })));
    staff.change(idOf(each.who), changes[each.change]);
  } else {
    const days = each.do === 'expire' ? 8 : 2;
    const now = new Date(Date.now() + days * 86_400_000);
    await tendApprovals({ database: db.worker, subjects: world.ports.subjects, log, clock: { now: () => now } });
    if (each.do === 'expire') {
      for (const about of model.tasks) if (about.state === 'pending') about.state = 'expired';
    }
  }
}

/** What the database says of every task, what its subject was told, and whom it waits for: all as the model has it. */
async function compare(
  world: ApprovalsWorld,
  model: ApprovalsModel,
  staff: TestPeople,
  ids: readonly string[],
): Promise<void> {
  const { rows } = await db.app.withCompany(world.companyId, (tx) =>
    sql<{ id: string; status: string; end: string | null; node: number; acts: number }>`
      select t.id, t.status, t.ended_as as "end", t.node,
        (select count(*) from approval_decision d where d.company_id = t.company_id and d.task_id = t.id
          and d.outcome = 'approved') as acts
      from approval_task t where t.company_id = company_id()`.execute(tx),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  expect(found.size).toBe(model.tasks.length);
  const own = new Set(model.tasks.map(({ subjectId }) => subjectId));
  for (const each of model.tasks) {
    const { state, node: at, acts } = each;
    expect(found.get(each.taskId)).toEqual({
      id: each.taskId,
      status: state === 'pending' || state === 'approved' ? state : 'rejected',
      end: state === 'pending' ? null : state,
      node: at,
      acts: acts.length,
    });
  }
  const byState = (...states: ModelTask['state'][]) =>
    model.tasks.filter(({ state }) => states.includes(state)).map(({ subjectId }) => subjectId);
  expect([...world.subject.approvals].sort()).toEqual(byState('approved').sort());
  const told = world.subject.ends.filter(({ subjectId }) => own.has(subjectId));
  expect(told.map(({ subjectId }) => subjectId).sort()).toEqual(
    byState('rejected', 'expired', 'voided', 'stopped').sort(),
  );
  for (const id of ids) {
    const person = staff.all([id])[0] as Person;
    const query = { view: 'pending' as const, size: '100' as const };
    const { items } = await db.app.withCompany(world.companyId, (tx) => list(tx, world.contextOf(person), query));
    const expected = model.tasks.filter((each) => model.mayDecide(id, each)).map(({ taskId }) => taskId);
    expect(items.map((item) => item.id).sort()).toEqual(expected.sort());
    for (const item of items) {
      const about = model.tasks.find(({ taskId }) => taskId === item.id) as ModelTask;
      expect(item).toMatchObject({ mayDecide: true, stuck: !model.couldPass(about), step: about.node + 1 });
    }
  }
}

test('whatever happens to a company’s approvals, they stand where the model says', { timeout: 600_000 }, async () => {
  await fc.assert(fc.asyncProperty(history, play), {
    numRuns: histories,
    // The same histories each time, since a few chosen by chance may decide nothing.
    seed: Number(process.env['PROOF_SEED'] ?? 7),
  });
  expect(tally.decided).toBeGreaterThan(tally.submitted / 3);
  expect(tally.kept).toBeGreaterThan(0);
});
