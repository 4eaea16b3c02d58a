import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DoomedHedger } from '../../../testing/doomed-hedger.ts';
import { setLimit } from '../../../testing/exchanges.ts';
import { type HedgingWorld, hedgingWorld, refreshPrices } from '../../../testing/hedging.ts';
import { verifyPosition } from '../position/verify.ts';

/**
 * Hedging while the worker's process is killed (SIGKILL); each time another worker takes over. No order is at the venue twice, each of its trades is in the position once.
 * `npm run proof` kills the worker at its first step, the next one at its second, and so on, until one comes to the end, before and after each step; `npm test` kills at the
 * request that places an order.
 */

const isProof = Number(process.env['PROOF_ROUNDS'] ?? 8) > 8;

vi.setConfig({ testTimeout: isProof ? 1_800_000 : 240_000, hookTimeout: 120_000 });

/** All steps together order more than a day's guard allows. */
const workers = { cancelAfterMs: 0, maxUsdPerDay: 1_000_000_000, maxOrdersPerDay: 100_000 };

let world: HedgingWorld;
beforeAll(async () => {
  world = await hedgingWorld();
  await setLimit(world.db, 'ETH', { hedgeFrom: String(10n ** 18n), hedgeTo: '0' });
});
afterAll(() => world.close());

const script = resolve(import.meta.dirname, '../../../testing/doomed-hedger.ts');

/** @returns the step at which it was killed; null: it came to the end */
async function work(step: number | string, moment: DoomedHedger['moment']): Promise<string | null> {
  const config = { ...world.config, ...workers };
  const given: DoomedHedger = { databaseUrl: world.db.urlFor('causeway_worker'), config, step, moment };
  const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let name = '';
  child.stdout.on('data', (bytes: Buffer) => {
    name += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the worker ended with ${code ?? signal}: ${said}`);
  return signal === 'SIGKILL' ? name : null;
}

/** Another worker brings everything to an end. */
async function finish(): Promise<void> {
  world.venue.engine.setBookMode('full');
  const isLive = ({ state }: { state: string }) => ['stored', 'sending', 'unknown', 'open'].includes(state);
  for (let round = 0; round < 30; round += 1) {
    await world.venue.engine.tick();
    // The deadline of one that never arrived is taken for long past once the venue was asked.
    await world.hedge(workers, { settleMs: -1_000_000 });
    const isHedged = BigInt(await world.position()) < 10n ** 18n;
    if (isHedged && !(await world.orders()).some(isLive)) return;
  }
  throw new Error(`not hedged: ${JSON.stringify(await world.orders())}`);
}

async function expectOnce(): Promise<void> {
  const { engine } = world.venue;
  const atVenue = [...engine.orders.values()];
  expect(new Set(atVenue.map(({ clientId }) => clientId)).size).toBe(atVenue.length);
  const known = new Map((await world.orders()).map((order) => [order.id, order]));
  for (const order of atVenue)
    expect(known.get(order.clientId ?? '')).toMatchObject({ state: 'done', venueOrderId: order.id });
  const sold = engine.trades.reduce(
    (sum, { side, quantity }) => sum + (side === 'sell' ? 1 : -1) * Number(quantity),
    0,
  );
  expect(Number(await world.position()) / 1e18).toBeCloseTo(bought / 1000 - sold, 6);
  expect((await world.db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
}

let bought = 0;

/** @returns the step at which the worker was killed; null: it came to the end */
async function killedAt(step: number | string, moment: DoomedHedger['moment']): Promise<string | null> {
  await refreshPrices(world.db);
  // More than the book holds within the limit: some is filled, the rest is cancelled.
  world.venue.engine.setBookMode('thin');
  await world.venue.engine.tick();
  await world.trade(20_000);
  bought += 20_000;
  const name = await work(step, moment);
  await finish();
  await expectOnce();
  return name;
}

const moments = ['before', 'after'] as const;

test.skipIf(isProof).each(moments)('killed %s the request that places an order', async (moment) => {
  expect(await killedAt('place', moment)).toBe(`${moment} place`);
});

test.runIf(isProof).each(moments)('killed %s a step, the next worker one step later', async (moment) => {
  const killed: string[] = [];
  for (let step = moment === 'before' ? 1 : 2; ; step += 1) {
    const name = await killedAt(step, moment);
    if (name === null) break;
    killed.push(name);
  }
  // Else the steps are no longer what is counted, and nothing is shown.
  expect(killed.length).toBeGreaterThan(20);
  for (const name of [
    'beginSending',
    'place',
    'markOpen',
    'find',
    'markOpen+insertFills+markAsked+endDone',
    'markCancelled',
    'cancel',
  ])
    expect(killed).toContain(`${moment} ${name}`);
});
