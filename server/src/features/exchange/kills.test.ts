import { exchange } from '@causeway/contract/exchange.ts';
import { addStandingOrder, listStandingOrders } from '@causeway/contract/standing-orders.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { eachDeath, killRounds, type MortalDatabase, mortalDatabase } from '../../testing/dying.ts';
import { intentOf, quotedExchange, standingRequest } from '../../testing/exchange-requests.ts';
import { asSuperuser, balancesOf, setPrice } from '../../testing/exchange-world.ts';
import { killEachTransaction } from '../../testing/killed-requests.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { verifyLedger } from '../ledger/index.ts';
import { verifyPosition } from './position/verify.ts';
import { executeDueOrders } from './service/limit-orders.ts';
import { takeDueTurns } from './standing/turns.ts';

/** The HTTP process dies while it exchanges, and its client repeats the request, or the loop of another process goes on: what is exchanged is exchanged once. */

vi.setConfig({ testTimeout: killRounds * 120_000 });

const usdt = (whole: number) => BigInt(whole) * 1_000_000n;
let world: MainApp;
let mortal: MortalDatabase;
beforeAll(async () => {
  const db = await testDatabase();
  mortal = mortalDatabase(db.app);
  world = await mainApp({ ...db, app: mortal });
});
afterAll(async () => {
  const { operator } = world.db;
  expect((await operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints).toEqual([]));

async function funded(): Promise<Tenant> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', usdt(1000));
  await setPrice(world.db, 'ETH', '2500');
  return tenant;
}

/** Of one exchange of 250 USDT, with everything that belongs to it; `held`: before it, they are held. */
async function look(tenant: Tenant, { held = false } = {}): Promise<'none' | 'whole'> {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ submitted: number; executed: number; seals: number; due: number; bought: number }>`
      select count(*) as submitted, count(executed_at) as executed, (select count(*) from exchange_seal where company_id = company_id()) as seals,
        (select count(*) from exchange_due where company_id = company_id()) as due,
        (select count(*) from transaction where company_id = company_id() and type = 'crypto_exchange_in') as bought
      from exchange where company_id = company_id()`.execute(tx),
  );
  const count = rows[0]?.executed ?? 0;
  expect(rows).toEqual([{ submitted: held ? 1 : count, executed: count, seals: count, due: count, bought: count }]);
  const isWhole = count === 1;
  const sold = await balancesOf(world.db, tenant, 'USDT');
  expect(sold).toEqual({
    available: usdt(isWhole || held ? 750 : 1000),
    outbound: usdt(held && !isWhole ? 250 : 0),
    fee: 0n,
    fx: usdt(isWhole ? 250 : 0),
  });
  const { available, fx } = await balancesOf(world.db, tenant, 'ETH');
  expect([available > 0n, available]).toEqual([isWhole, -fx]);
  return isWhole ? 'whole' : 'none';
}

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);

test.each(rounds)('an exchange at a quote (round %i)', async () => {
  const deaths = await killEachTransaction({ world, mortal, call: exchange }, async () => {
    const tenant = await funded();
    const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250' });
    const { request } = await quotedExchange(world, tenant.admin, intent);
    return { request, look: () => look(tenant) };
  });
  // All of it is one transaction.
  expect(deaths).toBe(2);
});

/** A round of a loop whose process dies at each of its transactions, and then of another process, twice. */
function killRound(
  loop: (deps: MainApp['planned']) => Promise<void>,
  prepare: () => Promise<() => Promise<'none' | 'whole'>>,
): Promise<number> {
  return eachDeath(async (transactions, moment) => {
    const lookAt = await prepare();
    expect(await lookAt()).toBe('none');
    const life = mortal.doom(transactions, moment);
    // The loop itself reports what fails of one order, and goes on with the next.
    await loop(world.planned).catch(() => undefined);
    const { isOver } = life;
    mortal.revive();
    const atDeath = await lookAt();
    if (!isOver) expect(atDeath).toBe('whole');
    for (let time = 0; time < 2; time += 1) {
      await loop(world.planned);
      expect(await lookAt()).toBe('whole');
    }
    return isOver;
  });
}

test.each(rounds)('a limit order whose rate is reached (round %i)', async () => {
  const deaths = await killRound(executeDueOrders, async () => {
    const tenant = await funded();
    const limit = { rate: '0.0005', until: new Date(Date.now() + 3_600_000).toISOString() };
    const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250', bound: '0.125', limit });
    await succeed(world, exchange, (await quotedExchange(world, tenant.admin, intent)).request);
    await setPrice(world.db, 'ETH', '1999');
    return () => look(tenant, { held: true });
  });
  // What is due is found in one transaction, and exchanged in another; then the next page is looked for.
  expect(deaths).toBe(6);
});

test.each(rounds)('a turn of a standing order (round %i)', async () => {
  const deaths = await killRound(takeDueTurns, async () => {
    const tenant = await funded();
    const { data } = await succeed(world, addStandingOrder, await standingRequest(world, tenant, tenant.admin));
    await asSuperuser(
      world.db,
      `update causeway.standing_order set next_at = now() - interval '1 minute' where id = $1`,
      [data.id],
    );
    return async () => {
      const exchanged = await look(tenant);
      const { items } = (await succeed(world, listStandingOrders, { as: tenant.admin })).data;
      const turns = items.flatMap((order) => order.turns.map(({ outcome }) => outcome));
      expect(turns).toEqual(exchanged === 'whole' ? ['submitted'] : []);
      return exchanged;
    };
  });
  expect(deaths).toBe(4);
});
