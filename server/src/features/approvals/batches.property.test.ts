import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompaniesTx, type Tx, together } from '../../platform/database/database.ts';
import { announceAll } from '../../platform/database/outbox.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { approvalsWorld } from '../../testing/approvals.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type RoutedRequest, reviewedCompany, reviewingCompanies } from '../../testing/reviewing-companies.ts';
import { readRows } from '../../testing/rows-read.ts';
import { insertNotices, prepareNotice } from '../notices/index.ts';
import {
  type NewTask,
  openTask,
  openTasks,
  type Route,
  type RouteRequest,
  readRoute,
  readRoutes,
  requireReview,
} from './service/open-task.ts';
import type { SubjectKind } from './service/subjects.ts';

/** Routes and tasks of several companies in one transaction: the same as one by one, and of those companies alone. */

const runs = Number(process.env['PROOF_ROUNDS'] ?? 20);

let db: TestDatabase;
let admin: pg.Client;
let known: RoutedRequest[];
let payment: SubjectKind;
let change: SubjectKind;
beforeAll(async () => {
  db = await testDatabase();
  admin = new pg.Client(db.superuserUrl);
  await admin.connect();
  await admin.query('set search_path = causeway');
  known = await reviewingCompanies(db);
  payment = approvalsWorld(db, newId()).subject;
  const different = { kind: 'test_change', changesControls: true, adoptable: false };
  change = Object.assign(Object.create(payment) as SubjectKind, different);
});
afterAll(async () => {
  await admin.end();
  await db.close();
});

function inBatch<T>(requests: readonly RouteRequest[], work: (tx: CompaniesTx) => Promise<T>): Promise<T> {
  return db.app.withCompanies(
    requests.map(({ companyId }) => companyId),
    work,
  );
}

/** A route but for the moment at which it was read. */
const withoutMoment = ({ readAt: _readAt, ...route }: Route) => route;

async function routeAlone(request: RouteRequest): Promise<Route> {
  return db.app.withCompany(request.companyId, (tx) => readRoute(tx, request));
}

function outcomeOf(route: Route, request: RouteRequest): 'off' | 'required' | { refused: string } {
  try {
    return requireReview(route, { ...request, taskId: newId() }).review;
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.key };
    throw error;
  }
}

describe('routes', () => {
  test('are what each company has set', async () => {
    const requests = known.map(({ request }) => request);
    const routes = await inBatch(requests, (tx) => readRoutes(tx, requests));
    const shown = routes.map((route, index) => ({
      enabled: route.enabled,
      rule: route.rule?.name ?? null,
      people: route.people.map(({ name }) => name.split(' ')[0]).sort(),
      outcome: outcomeOf(route, requests[index] as RouteRequest),
    }));
    const expected = known.map(({ enabled, rule, people, outcome }) => ({
      enabled,
      rule,
      people,
      outcome: typeof outcome === 'object' && 'to' in outcome ? 'required' : outcome,
    }));
    expect(shown).toEqual(expected);
  });

  test('of a batch are those that each request has alone, in any number and order', async () => {
    const alone = await Promise.all(known.map(async ({ request }) => withoutMoment(await routeAlone(request))));
    const places = fc.array(fc.nat({ max: known.length - 1 }), { minLength: 1, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(places, async (chosen) => {
        const requests = chosen.map((place) => (known[place] as RoutedRequest).request);
        const routes = await inBatch(requests, (tx) => readRoutes(tx, requests));
        expect(routes.map(withoutMoment)).toEqual(chosen.map((place) => alone[place]));
      }),
      { numRuns: runs },
    );
  });

  test('of no request take no statement', async () => {
    expect(await readRoutes({} as CompaniesTx, [])).toEqual([]);
  });

  test('of companies that do not review read neither rules nor people', async () => {
    const off = known.filter(({ enabled }) => !enabled).map(({ request }) => request);
    const unruled = known.filter(({ enabled, rule }) => enabled && rule === null).map(({ request }) => request);
    const read = (requests: readonly RouteRequest[]) =>
      inBatch(requests, async (tx) => Object.keys(await readRows(tx, () => readRoutes(tx, requests))));
    expect(await read(off)).toEqual(['approval_setting']);
    expect(await read(unruled)).toEqual(['approval_rule', 'approval_rule_version', 'approval_setting']);
  });
});

describe('a company outside the batch', () => {
  test('has no route, and its people are in no route of another', async () => {
    const [inside, outside] = [await reviewedCompany(db), await reviewedCompany(db)];
    const stranger = await outside.member('Sly', 'approver');
    const approver = await inside.member('Ann', 'approver');
    for (const company of [inside, outside]) {
      await company.rules([{ nodes: [{ people: [approver, stranger] }] }]);
      await company.switchReview(true);
    }
    const affiliation = { roleId: null, departmentIds: [] };
    const request = { companyId: outside.id, valueUsdCents: 1n, initiatorId: stranger, affiliation };
    expect(withoutMoment(await routeAlone(request)).people).toHaveLength(1);
    const [own, foreign] = await db.app.withCompanies([inside.id], (tx) =>
      readRoutes(tx, [{ ...request, companyId: inside.id }, request]),
    );
    expect(own?.people.map(({ id }) => id)).toEqual([approver]);
    expect(foreign).toMatchObject({ enabled: false, rule: null, people: [], forbidsGrantees: false });
  });

  test('is written no task, notice or event', async () => {
    const { request } = required()[0] as RoutedRequest;
    const { companyId, ...opened } = newTask(request, await routeAlone(request), payment);
    const notice = { kind: 'approvalWaiting', sourceId: newId(), values: {}, link: null };
    const { row, events } = prepareNotice(companyId, notice) ?? {};
    const batch = (work: (tx: CompaniesTx) => Promise<unknown>) => db.app.withCompanies([newId()], work);
    const refused = (table: string) => `violates row-level security policy for table "${table}"`;
    await expect(batch((tx) => together(openTasks(tx, [{ companyId, ...opened }])))).rejects.toThrow(
      refused('approval_task'),
    );
    await expect(batch((tx) => insertNotices(tx, row ? [row] : []))).rejects.toThrow(refused('notice'));
    const announced = (events ?? []).map((event) => ({ companyId, ...event }));
    await expect(batch((tx) => announceAll(tx, announced))).rejects.toThrow(refused('outbox'));
  });
});

/** By first name; of a request that opens a task there is at least one. */
function recipientsOf(outcome: RoutedRequest['outcome']): readonly string[] {
  return typeof outcome === 'object' && 'to' in outcome ? outcome.to : [];
}

function required(): RoutedRequest[] {
  return known.filter(({ outcome }) => recipientsOf(outcome).length > 0);
}

function newTask(request: RouteRequest, route: Route, subject: SubjectKind) {
  const { companyId, valueUsdCents, initiatorId } = request;
  const routing = requireReview(route, { initiatorId, valueUsdCents, taskId: newId() });
  if (routing.review === 'off') throw new Error('review is off');
  const task: NewTask = {
    subjectId: newId(),
    digest: `digest of ${valueUsdCents}`,
    routing,
    initiator: { id: initiatorId, name: 'Fay "F" Wong, {Ms}' },
    coin: 'USDT',
    decimals: 6,
    amountMinor: valueUsdCents * 10_000n + 1n,
    valueUsdCents,
    content: { notes: 'rent \\ "May", {7}', attachments: [] },
    search: ['Supplier, {Ltd}', 'Rent\n"May"'],
  };
  return { companyId, subject, task };
}

/** What tasks have left in the database since `forgetEvents`, without ids and times of its own: tasks, notices, events. */
async function writtenBy(tasks: readonly { task: NewTask }[]) {
  const taskIds = tasks.map(({ task }) => task.routing.taskId);
  const links = taskIds.map((id) => `/app/pending-approval/${id}`);
  const { rows: opened } = await admin.query<Written>(
    'select to_jsonb(t) as row, started_at as began from approval_task t where id = any ($1) order by array_position($1, id)',
    [taskIds],
  );
  const { rows: notices } = await admin.query<Written>(
    'select to_jsonb(n) as row, created_at as began from notice n where link = any ($1) order by array_position($1, link)',
    [links],
  );
  const { rows: events } = await admin.query<Written>(
    'select to_jsonb(o) as row, created_at as began from outbox o order by company_id, id',
  );
  const names = new Map([
    ...tasks.flatMap(({ task }, index) => [
      [task.routing.taskId, `task ${index}`] as const,
      [task.subjectId, `subject ${index}`] as const,
    ]),
    ...notices.map(({ row }, index) => [row['id'] as string, `notice ${index}`] as const),
  ]);
  return {
    tasks: opened.map((written) => comparable(written, names)),
    notices: notices.map((written) => comparable(written, names, 'source_id')),
    events: events.map((written) => comparable(written, names, 'id')),
  };
}

interface Written {
  row: Record<string, unknown>;
  began: Date;
}

/** A row with ids replaced by what they are of, a column of its own left out, and times by their distance from its beginning. */
function comparable({ row, began }: Written, names: ReadonlyMap<string, string>, own = '') {
  const text = JSON.stringify({ ...row, [own]: undefined }, (_key, value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:/.test(value)
      ? `${Date.parse(value) - began.getTime()} ms`
      : value,
  );
  return JSON.parse([...names].reduce((all, [id, name]) => all.replaceAll(id, name), text)) as Record<string, unknown>;
}

const forgetEvents = () => admin.query('delete from outbox');

async function openAlone(tasks: readonly ReturnType<typeof newTask>[]): Promise<void> {
  for (const { companyId, subject, task } of tasks) {
    await db.app.withCompany(companyId, async (tx: Tx) => openTask(tx, subject, task));
  }
}

describe('tasks', () => {
  test('of a batch are written as each alone is, with their notices and events, to the column', async () => {
    const requests = [...required(), ...required().reverse()].map(({ request }) => request);
    const routes = await inBatch(requests, (tx) => readRoutes(tx, requests));
    const make = () =>
      requests.map((request, index) => newTask(request, routes[index] as Route, index % 3 === 0 ? change : payment));
    const [batch, alone] = [make(), make()];
    await forgetEvents();
    await inBatch(requests, async (tx) => tx.leave(openTasks(tx, batch)));
    const written = await writtenBy(batch);
    await forgetEvents();
    await openAlone(alone);
    expect(written).toEqual(await writtenBy(alone));
    expect(written.tasks).toHaveLength(requests.length);
    expect(written.notices).toHaveLength(requests.length);
    const topics = Object.groupBy(written.events, ({ payload }) => String((payload as { topic?: string }).topic));
    expect(topics['approval']).toHaveLength(requests.length);
    expect(topics['notice']).toHaveLength(requests.length);
    expect(topics['control']).toHaveLength(Math.ceil(requests.length / 3));
    expect(topics['undefined']?.map(({ name }) => name)).toEqual(
      required().flatMap(({ outcome }) =>
        [...recipientsOf(outcome), ...recipientsOf(outcome)].map(() => 'notices.mailDue'),
      ),
    );
  });

  test('hold what was submitted and by which rule it is judged', async () => {
    const routed = known.find(({ request }) => request.valueUsdCents === 500n) as RoutedRequest;
    const { request } = routed;
    const [route] = await inBatch([request], (tx) => readRoutes(tx, [request]));
    const opened = newTask(request, route as Route, payment);
    await forgetEvents();
    await inBatch([request], async (tx) => tx.leave(openTasks(tx, [opened])));
    const people = new Map(route?.people.map(({ id, name }) => [id, name.split(' ')[0]]));
    const { tasks, notices, events } = await writtenBy([opened]);
    const [task, notice] = [tasks[0], notices[0]];
    const nodes = route?.rule?.nodes ?? [];
    expect(task).toEqual({
      company_id: request.companyId,
      id: 'task 0',
      kind: 'transfer',
      subject_id: 'subject 0',
      digest: 'digest of 500',
      content: { notes: 'rent \\ "May", {7}', attachments: [] },
      adoptable: true,
      changes_controls: false,
      coin: 'USDT',
      decimals: 6,
      amount: 5_000_001,
      amount_coins: 5.000001,
      value: 500,
      initiator_id: request.initiatorId,
      initiator_name: 'Fay "F" Wong, {Ms}',
      applicant: 'Fay "F" Wong, {Ms}',
      department: 'Treasury',
      rule_id: route?.rule?.id,
      rule_version: 1,
      nodes,
      node: 0,
      node_since: '0 ms',
      status: 'pending',
      ended_as: null,
      reason: null,
      started_at: '0 ms',
      finished_at: null,
      expires_at: `${9 * 86_400_000} ms`,
      remind_at: `${30 * 3_600_000} ms`,
      parties: [request.initiatorId, ...nodes.flatMap((node) => [...node.people, ...node.roles])],
      search: 'supplier, {ltd}\nrent\n"may"\nfay "f" wong, {ms}\nrule 3',
      effective_at: null,
      ended_by_name: null,
      rule_submitter: null,
      adopted_by: null,
      adopted_by_name: null,
    });
    const recipients = (notice?.['recipients'] as string[]) ?? [];
    expect(recipients.map((id) => people.get(id)).sort()).toEqual(recipientsOf(routed.outcome));
    expect(recipients).toEqual([...recipients].sort());
    expect(notice).toMatchObject({
      id: 'notice 0',
      kind: 'approvalWaiting',
      values: {
        initiator: 'Fay "F" Wong, {Ms}',
        amount: expect.stringContaining('5.000001'),
        coin: 'USDT',
        payee: 'Supplier',
      },
      link: '/app/pending-approval/task 0',
      facts: [],
      search: { 'en-us': expect.stringContaining('supplier') },
    });
    expect(events.map(({ name, payload }) => ({ name, payload }))).toEqual([
      { name: 'live', payload: { topic: 'approval', id: 'task 0' } },
      { name: 'live', payload: { topic: 'notice', id: 'notice 0' } },
      ...recipients.map((userId) => ({ name: 'notices.mailDue', payload: { userId, noticeId: 'notice 0' } })),
    ]);
  });

  test('say as which of those whom their rule is for the initiator was meant', async () => {
    const wanted = ['Rule 3', 'Rule 4'];
    const some = known.filter(
      ({ request, rule }) => request.affiliation.departmentIds.length > 0 && wanted.includes(rule ?? ''),
    );
    const requests = some
      .map(({ request }) => request)
      .filter(({ valueUsdCents }) => valueUsdCents !== 500n && valueUsdCents < 1_000n);
    const routes = await inBatch(requests, (tx) => readRoutes(tx, requests));
    const opened = requests.map((request, index) => newTask(request, routes[index] as Route, payment));
    await inBatch(requests, async (tx) => tx.leave(openTasks(tx, opened)));
    const kinds = (await writtenBy(opened)).tasks.map(
      (task) => task['rule_submitter'] as { kind: string; id: string } | null,
    );
    const meant = requests.map(({ initiatorId, affiliation: { roleId, departmentIds } }) => [
      initiatorId,
      roleId,
      ...departmentIds,
    ]);
    expect(
      kinds
        .map((each) => each?.kind ?? null)
        .filter((kind) => kind !== null)
        .sort(),
    ).toEqual(['department', 'person', 'role']);
    kinds.forEach((each, index) => {
      if (each) expect(meant[index]).toContain(each.id);
    });
  });

  test('of which there are none take no statement', () => {
    expect(openTasks({} as CompaniesTx, [])).toEqual([]);
  });
});
