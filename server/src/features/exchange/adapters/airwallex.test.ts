import { FX_CLIENT_ID, type FxServer, startFx } from '@causeway/sandbox/venue/fx.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AirwallexConfig } from '../../../platform/config/liquidity.ts';
import { createLog } from '../../../platform/process/log.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { executedExchange, setLimit } from '../../../testing/exchanges.ts';
import { keepTestMids } from '../../../testing/prices.ts';
import { hedgeOnce } from '../hedging/hedging.ts';
import { keepVenues } from '../hedging/venue-store.ts';
import { verifyPosition } from '../position/verify.ts';
import { createAirwallex } from './airwallex.ts';

/** Currencies are hedged at the sandbox's FX account over HTTP: one conversion for each order, whatever is lost on the way. */

let db: TestDatabase;
let company: TestCompany;
let fx: FxServer;
let config: AirwallexConfig;
const log = createLog('test', 'silent');

beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
  fx = await startFx({ dollarsOf: (currency) => (currency === 'USD' ? '1' : '0.128') });
  config = {
    ...{
      venue: 'meridian-fx',
      kind: 'airwallex',
      url: fx.url,
      clientId: FX_CLIENT_ID,
      apiKeyFile: fx.apiKeyFile,
      currencies: ['HKD'],
    },
    ...{ counter: 'USD', lowBalances: {}, slippageBasisPoints: 50, timeoutMs: 2000, cancelAfterMs: 60_000 },
    ...{ maxOrderUsd: 250_000, maxUsdPerDay: 5_000_000, maxOrdersPerDay: 500 },
  };
  await keepTestMids(db, { HKD: '0.128', USDT: '1', ETH: '2500' });
  const pairs = [{ asset: 'HKD', counter: 'USD' }];
  await db.worker.withoutCompany((tx) =>
    keepVenues(tx, [{ id: config.venue, kind: config.kind, pairs, lowBalances: {} }]),
  );
  await setLimit(db, 'HKD', { hedgeFrom: '1000000', hedgeTo: '0' });
});
afterAll(async () => {
  await fx.stop();
  await db.close();
});
afterEach(async () => {
  fx.setMode('ok');
  const orders = await rows();
  expect([...fx.conversions.values()].map(({ requestId }) => requestId).sort()).toEqual(
    orders
      .filter(({ state }) => state === 'done')
      .map(({ id }) => id)
      .sort(),
  );
  expect((await db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
});

const hedge = (times = {}) =>
  hedgeOnce({ database: db.worker, venue: createAirwallex(config), config, log, times: { firstPauseMs: 0, ...times } });
/** Makes the platform hold so many Hong Kong dollars more. */
const take = (dollars: bigint) =>
  executedExchange(db, company, {
    ...{ sell: 'USDT', currency: 'HKD', buy: 'ETH', bought: 1n, sellUsd: '0.128', buyUsd: '2500' },
    sold: dollars * 100n,
  });
async function rows() {
  const { rows: found } = await db.worker.withoutCompany((tx) =>
    sql<{ id: string; state: string; side: string; filled: string; reason: string | null }>`
      select id, state, side, trim_scale(filled)::text as filled, reason from hedge_order order by created_at`.execute(
      tx,
    ),
  );
  return found;
}
const position = async () => {
  const { rows: found } = await db.worker.withoutCompany((tx) =>
    sql<{ minor: string }>`select trunc(exchange_exposure('HKD'))::text as minor`.execute(tx),
  );
  return found[0]?.minor;
};

test('a currency beyond its level is converted at a quote, to the cent', async () => {
  await take(12_345n);
  await hedge();
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ side: 'sell', state: 'done', filled: '12345' });
  expect(await position()).toBe('0');
  expect(fx.balance('HKD')).toBe('19987655');
  const [conversion] = [...fx.conversions.values()];
  expect(conversion).toMatchObject({ sellAmount: '12345', buyCurrency: 'USD', buyAmount: '1577.78' });
  const { rows: fills } = await db.worker.withoutCompany((tx) =>
    sql<{ price: string }>`select price::text from hedge_fill`.execute(tx),
  );
  expect(fills).toEqual([{ price: '0.127807209397' }]);
  expect(await createAirwallex(config).marketOf('VND')).toMatchObject({ quantityDecimals: 0, priceDecimals: null });
});

test('an answer that is lost: asked for by our id, and one conversion', async () => {
  fx.setMode('mute');
  await take(20_000n);
  await hedge();
  expect((await rows()).at(-1)?.state).toBe('unknown');
  fx.setMode('ok');
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ state: 'done', filled: '20000' });
});

test('it never arrived, or was refused: the order ends, and the next one converts', async () => {
  fx.setMode('lost');
  await take(20_000n);
  await hedge();
  fx.setMode('ok');
  await hedge();
  expect((await rows()).at(-1)?.state).toBe('unknown');
  fx.setMode('refusing');
  await hedge({ settleMs: -1_000_000 });
  expect((await rows()).at(-1)).toMatchObject({
    state: 'refused',
    reason: 'account_restricted: Conversions are not possible now.',
  });
  fx.setMode('ok');
  await hedge();
  await hedge();
  expect(await position()).toBe('0');
});

test('what is booked stays open until it is settled or cancelled; a late cancel leaves the position, and it is converted anew', async () => {
  const before = BigInt((await position()) ?? '');
  fx.setMode('scheduling');
  await take(20_000n);
  await hedge();
  await hedge({ cancelAfterMs: -1 });
  const first = (await rows()).at(-1);
  expect(first).toMatchObject({ state: 'open', filled: '0' });
  await fx.moveOn(first?.id ?? '', 'OVERDUE');
  await hedge();
  expect((await rows()).at(-1)).toEqual(first);
  expect(await position()).toBe(String(before + 2_000_000n));
  fx.setMode('ok');
  await fx.moveOn(first?.id ?? '', 'CANCELLED');
  await hedge();
  const [cancelled, second] = (await rows()).slice(-2);
  expect(cancelled).toMatchObject({ id: first?.id, state: 'done', filled: '0', reason: 'CANCELLED' });
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ id: second?.id, state: 'done', filled: '20000', reason: null });
  expect(await position()).toBe(String(before));
  const { rows: marked } = await db.worker.withoutCompany((tx) =>
    sql`select from hedge_order where cancelled_at is not null`.execute(tx),
  );
  expect(marked).toEqual([]);
});

test('booked first and settled later is filled when it is settled', async () => {
  fx.setMode('scheduling');
  await take(20_000n);
  await hedge();
  await hedge();
  const first = (await rows()).at(-1);
  await fx.moveOn(first?.id ?? '', 'SETTLED');
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ id: first?.id, state: 'done', filled: '20000' });
  expect(await position()).toBe('0');
});

test('a quote that was made at the deadline can be used for a minute: only another one later an order never arrived', async () => {
  const asOwner = async (statement: string) => {
    const owner = new pg.Client({ connectionString: db.superuserUrl });
    await owner.connect();
    await owner.query(statement).finally(() => owner.end());
  };
  fx.setMode('lost');
  await take(20_000n);
  await hedge();
  fx.setMode('ok');
  const overdue = (seconds: number) =>
    asOwner(
      `update causeway.hedge_order set deadline_at = now() - interval '${seconds} seconds' where state = 'unknown'`,
    );
  await overdue(110);
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ state: 'unknown' });
  await overdue(121);
  await hedge();
  expect((await rows()).at(-2)).toMatchObject({ state: 'notPlaced', reason: 'neverArrived' });
  await hedge();
  expect(await position()).toBe('0');
});

test('a quote worse than the limit is not taken', async () => {
  const before = fx.conversions.size;
  await take(20_000n);
  config = { ...config, slippageBasisPoints: 10 };
  await hedge();
  expect((await rows()).at(-1)).toMatchObject({ state: 'notPlaced', reason: expect.stringMatching(/^the quote is /) });
  expect(fx.conversions.size).toBe(before);
  config = { ...config, slippageBasisPoints: 50 };
  await hedge();
  await hedge();
  expect(await position()).toBe('0');
  expect(await createAirwallex(config).balances()).toMatchObject({ HKD: fx.balance('HKD') });
});
