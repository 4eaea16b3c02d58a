import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { takeAnswer } from './service.ts';
import { findMids, keepAnswer, sweepPoints } from './store.ts';

let db: TestDatabase;
const config = { needed: 2, assets: {} };

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(() =>
  db.worker.withoutCompany(async (tx) => {
    await sql`delete from rate_mid_point`.execute(tx);
    await sql`delete from rate_mid`.execute(tx);
    await sql`delete from rate_source`.execute(tx);
  }),
);

interface Saying {
  asset?: string;
  ageMs?: number;
  maxAgeMs?: number;
  role?: 'price' | 'band';
}

function answer(source: string, usd: string, { asset = 'ETH', ageMs = 0, maxAgeMs = 60_000, role = 'price' }: Saying) {
  const at = new Date(Date.now() - ageMs);
  return { source, role, maxAgeMs, pollMs: 10_000, prices: [{ asset, bid: usd, ask: usd, at, fault: null }] };
}

async function say(source: string, usd: string, saying: Saying = {}): Promise<void> {
  await db.worker.withoutCompany((tx) => takeAnswer(tx, answer(source, usd, saying), config));
}

const mids = (...assets: string[]) => db.app.withoutCompany((tx) => findMids(tx, assets));

describe('middle prices', () => {
  test('hold once enough sources agree; the dollar always is 1, and what was never priced has none', async () => {
    await say('kraken', '3000');
    expect((await mids('ETH'))[0]).toMatchObject({ asset: 'ETH', usd: null, problem: 'single' });
    await say('bitstamp', '3010');
    expect(await mids('USD', 'ETH', 'POL', 'ETH')).toEqual([
      { asset: 'USD', usd: '1', at: expect.any(Date), sources: [], problem: null },
      { asset: 'ETH', usd: '3005', at: expect.any(Date), sources: ['bitstamp', 'kraken'], problem: null },
      { asset: 'POL', usd: null, at: null, sources: [], problem: 'none' },
    ]);
  });

  test('that sources no longer agree on are the last ones that held, with what is wrong', async () => {
    await say('kraken', '3000');
    await say('bitstamp', '3000');
    await say('bitstamp', '3200');
    expect((await mids('ETH'))[0]).toMatchObject({
      usd: '3000',
      sources: ['bitstamp', 'kraken'],
      problem: 'disagreeing',
    });
    await say('bitstamp', '3001');
    expect((await mids('ETH'))[0]).toMatchObject({ usd: '3000.5', problem: null });
  });

  test('end by themselves when their sources grow old and no worker looks', async () => {
    await say('kraken', '3000');
    await say('bitstamp', '3000', { maxAgeMs: 500 });
    expect((await mids('ETH'))[0]?.problem).toBeNull();
    await expect.poll(async () => (await mids('ETH'))[0]?.problem, { timeout: 20_000 }).toBe('stale');
  });

  test('are not made of prices that came late, nor of an older one that overtakes a newer', async () => {
    await say('kraken', '3000', { ageMs: 61_000 });
    await say('bitstamp', '3000');
    expect((await mids('ETH'))[0]?.problem).toBe('single');
    await say('kraken', '3002');
    await say('kraken', '2990', { ageMs: 30_000 });
    expect((await mids('ETH'))[0]?.usd).toBe('3001');
  });

  test('of a source whose clock is ahead are as old as its answer, and of one far ahead are none', async () => {
    await say('bitstamp', '3000');
    await say('kraken', '3000', { ageMs: -30_000, maxAgeMs: 100 });
    await expect.poll(async () => (await mids('ETH'))[0]?.problem, { timeout: 20_000 }).toBe('stale');
    await say('kraken', '3000', { ageMs: -300_000 });
    expect((await mids('ETH'))[0]?.problem).toBe('single');
    await say('kraken', '3000');
    expect((await mids('ETH'))[0]?.problem).toBeNull();
  });

  test('of a currency keep to the band of the reference rates, while those are young', async () => {
    const hkd = { asset: 'HKD' };
    await say('ecb', '0.1284', { ...hkd, role: 'band', ageMs: 86_400_000, maxAgeMs: 7 * 86_400_000 });
    await say('kraken', '0.1400', hkd);
    await say('bitstamp', '0.1400', hkd);
    expect((await mids('HKD'))[0]?.problem).toBe('none');
    await say('kraken', '0.1285', hkd);
    await say('bitstamp', '0.1284', hkd);
    expect((await mids('HKD'))[0]?.problem).toBeNull();
    await say('ecb', '0.1000', { ...hkd, role: 'band', maxAgeMs: 0 });
    await say('kraken', '0.1285', hkd);
    expect((await mids('HKD'))[0]).toMatchObject({ usd: '0.12845', sources: ['bitstamp', 'kraken'], problem: null });
  });

  test('can be read in batches of companies, and written by the worker alone', async () => {
    const read = await db.app.withCompanies([newId(), newId()], (tx) => findMids(tx, ['USD']));
    expect(read[0]?.usd).toBe('1');
    const attempt = db.app.withoutCompany((tx) => keepAnswer(tx, answer('kraken', '1', {})));
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });
});

test('points are the last mid of each minute, hour and day, and go when they have served their time', async () => {
  for (const usd of ['3000', '3001']) {
    await say('kraken', usd);
    await say('bitstamp', usd);
  }
  const points = () =>
    db.app.withoutCompany((tx) =>
      sql<{ grain: string; usd: string }>`select grain, usd::text from rate_mid_point order by grain, at`.execute(tx),
    );
  const last = (await points()).rows.filter((_, i, all) => all[i + 1]?.grain !== all[i]?.grain);
  expect(last).toEqual(['day', 'hour', 'minute'].map((grain) => ({ grain, usd: '3001' })));
  await db.worker.withoutCompany(async (tx) => {
    await sql`update rate_mid_point set at = at - interval '3 days'`.execute(tx);
    expect(await sweepPoints(tx, 500)).toBeGreaterThan(0);
  });
  expect(new Set((await points()).rows.map(({ grain }) => grain))).toEqual(new Set(['day', 'hour']));
});
