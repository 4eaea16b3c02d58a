import { readFileSync } from 'node:fs';
import * as approvals from '@causeway/contract/approvals.ts';
import { calls } from '@causeway/contract/calls.ts';
import * as control from '@causeway/contract/control.ts';
import { controlKinds, otherCalls, ruleCalls } from '@causeway/contract/control-rules.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decision } from '../testing/approval-requests.ts';
import { testDatabase } from '../testing/database.ts';
import type { Answer } from '../testing/envelope.ts';
import { companyIn, type FourEyes, type State, states } from '../testing/four-eyes.ts';
import { decisions } from '../testing/four-eyes-decisions.ts';
import { rows } from '../testing/four-eyes-rows.ts';
import { type MainApp, mainApp } from '../testing/main-app.ts';
import { present } from '../testing/present.ts';
import { isProof } from '../testing/proof.ts';
import { succeed } from '../testing/succeed.ts';

/** The tables of docs/FOUR_EYES.md, cell by cell: what one person could do alone, and what stops it. */

const hourMs = 3_600_000;

let world: MainApp;
let aheadMs = 0;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), { now: () => new Date(Date.now() + aheadMs) });
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => {
  aheadMs = 0;
  expect(world.complaints.splice(0)).toEqual([]);
});

type Outcome = 'at once' | 'waits' | 'consent' | 'refused' | '–';
interface Documented {
  id: string;
  call: string;
  outcomes: Record<State, Outcome>;
}

const page = readFileSync(new URL('../../../docs/FOUR_EYES.md', import.meta.url), 'utf8');

/** The rows of the page's table with so many columns, without its head. */
function readTable(columns: number): string[][] {
  const lines = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const table = lines.filter((cells) => cells.length === columns + 2).map((cells) => cells.slice(1, -1));
  return table.filter(([first = '']) => first !== 'id' && !first.startsWith('---'));
}

const documented = readTable(9).map(
  ([id = '', , call = '', , ...outcomes]): Documented => ({
    id,
    call,
    outcomes: Object.fromEntries(states.map((state, place) => [state, outcomes[place]])) as Documented['outcomes'],
  }),
);

test('every row of the page is tried, and every case stands on the page', () => {
  expect(documented.map(({ id }) => id).sort()).toEqual(Object.keys(rows).sort());
  expect(documented.length).toBeGreaterThan(40);
});

test('every call that writes is classified once, and each that widens has its rows', () => {
  const classified = [...controlKinds, ...ruleCalls, ...Object.keys(otherCalls)].sort();
  expect(
    calls
      .filter(({ method }) => method !== 'GET')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(classified);
  for (const kind of [...controlKinds, ...ruleCalls]) {
    const tried = documented.filter(({ call }) => call === kind).flatMap(({ outcomes }) => Object.values(outcomes));
    expect([kind, tried]).toEqual([kind, expect.arrayContaining(['waits', 'consent', 'refused'])]);
  }
  // What takes effect at once everywhere and is no such kind is classified as narrowing.
  for (const { call } of documented) expect([...controlKinds, ...ruleCalls, 'deleteMember']).toContain(call);
});

/** How the attempt ended, told by the answer and by what can be seen from outside. */
async function outcomeOf(cell: FourEyes, answer: Answer, isInForce: boolean): Promise<Outcome> {
  if (answer.status === 409 && answer.key === 'approvalRulesHeld') return isInForce ? 'at once' : 'refused';
  if (answer.status !== 200) throw new Error(`${answer.key}: ${answer.raw.body}`);
  if (isInForce) return 'at once';
  const { items } = (await succeed(cell.world, control.listPendingChanges, { as: cell.admin })).data;
  const { taskId, effectiveAt } = answer.data as Effect;
  expect(items).toMatchObject([{ taskId, effectiveAt, mayWithdraw: true, mayStop: true, mayDecide: false }]);
  return effectiveAt === null ? 'consent' : 'waits';
}

/** What was proposed comes into force by the way that it was said to, and not before. */
async function followUp(cell: FourEyes, outcome: Outcome, answer: Answer, inForce: () => Promise<boolean>) {
  const { admin, others } = cell;
  const taskId = present((answer.data as Effect).taskId);
  const own = await world.ask(approvals.decideApprovals, await decision(world, admin, [taskId]));
  expect(own.key).toBe('approvalOwn');
  aheadMs = 24 * hourMs - 60_000;
  await world.applyDue();
  expect(await inForce()).toBe(false);
  aheadMs = 24 * hourMs + 60_000;
  if (outcome === 'consent') {
    // Consent is never replaced by time.
    await world.applyDue();
    expect(await inForce()).toBe(false);
    await succeed(world, approvals.decideApprovals, await decision(world, present(others.at(-1)), [taskId]));
  } else await world.applyDue();
  expect(await inForce()).toBe(true);
  const task = (await succeed(world, approvals.getApproval, { as: admin, params: { id: taskId } })).data;
  expect(task).toMatchObject({ status: 'approved', end: outcome === 'consent' ? 'approved' : 'applied' });
}

const followed = new Set<string>();

describe.each(documented)('$id', ({ id, outcomes }) => {
  test.each(states.filter((state) => outcomes[state] !== '–'))('%s', async (state) => {
    const row = present(rows[id]);
    const cell = await companyIn(world, state, async (made) => row.prepare?.(made));
    const inForce = () => row.inForce(cell);
    expect(await inForce()).toBe(false);
    const answer = await row.attempt(cell);
    const outcome = await outcomeOf(cell, answer, await inForce());
    expect(outcome).toBe(outcomes[state]);
    if (outcome !== 'consent' && outcome !== 'waits') return;
    // `npm run proof` follows every attempt to its end; here one of each row and outcome: what follows does not know the state.
    if (!isProof && followed.has(`${id} ${outcome}`)) return;
    followed.add(`${id} ${outcome}`);
    await followUp(cell, outcome, answer, inForce);
  });
});

/** The second table: decisions that must fail, with the error that says why. */
const refusals = readTable(3).map(([id = '', , key = '']) => ({ id, key }));

test('every refused decision of the page is tried, and every case stands on the page', () => {
  expect(refusals.map(({ id }) => id).sort()).toEqual(Object.keys(decisions).sort());
});

test.each(refusals)('$id: $key', async ({ id, key }) => {
  const row = present(decisions[id]);
  const cell = await companyIn(world, 'three', async (made) => row.prepare?.(made));
  expect((await row.attempt(cell)).key).toBe(key);
  const lawful = await row.lawful(cell);
  expect(lawful.status, lawful.raw.body).toBe(200);
});
