import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chainFamilies, noTrades } from '../../testing/chain-families.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import { accountsByKind, findPosting, legsOf, move, post, reversed } from '../ledger/index.ts';
import { keepPrices } from '../rates/index.ts';
import { registerWalletsRoutes } from './index.ts';

const dayMs = 86_400_000;
const started = new Date();
/** What the ledger writes happens now; the past is made by asking later. */
let now = started;

let db: TestDatabase;
let owner: pg.Client;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  http = await sessionApp(db.app, (given) => registerWalletsRoutes(given, { families: chainFamilies, ...noTrades }), {
    now: () => now,
  });
});
afterAll(async () => {
  await http.close();
  await owner.end();
  await db.close();
});
beforeEach(async () => {
  now = started;
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
  await keepZone('UTC');
  caller = http.signIn(company.id, 'viewer');
  await forgetPrices();
  await price({ ETH: '2000.005', USDT: '1', USDC: '0.9999', HKDT: '0.128' }, started);
});

async function forgetPrices(): Promise<void> {
  await owner.query('truncate causeway.rate, causeway.rate_daily');
}

const keepZone = (timeZone: string) => keepTimeZone(db.app, company.id, timeZone);

async function price(prices: Record<string, string>, updatedAt: Date): Promise<void> {
  const rows = Object.entries(prices).map(([asset, usd]) => ({ asset, usd, source: 'test', updatedAt }));
  await db.worker.withoutCompany((tx) => keepPrices(tx, rows));
}

type Legs = readonly [from: 'available' | 'outbound' | 'chain', to: 'available' | 'outbound' | 'chain', minor: bigint];

async function moved(kind: string, [from, to, minor]: Legs, sourceId = newId()): Promise<string> {
  await db.worker.withCompany(company.id, async (tx) => {
    const accounts = await accountsByKind(tx, company.wallets.USDT, [from, to]);
    const legs = move(accounts[from].id, accounts[to].id, minor);
    await post(tx, { id: newId(), kind, sourceId, description: 'test', legs });
  });
  return sourceId;
}

async function history(days?: '7' | '30' | '90') {
  const { data } = await caller.get(`/web/account/history${days ? `?days=${days}` : ''}` as '/web/account/history');
  return data;
}

describe('the history of the total', () => {
  test('begins with the day before the period and ends with the overview’s own figure', async () => {
    await credit(db, company, 'USDT', 3_000_000_000n);
    const data = await history();
    expect(data.days).toHaveLength(31);
    expect(data.days.at(-1)).toEqual({ date: started.toISOString().slice(0, 10), total: '3000.00' });
    expect(data.days.at(-2)!.total).toBe('0.00');
    expect(data.overview).toEqual((await caller.get('/web/account/overview')).data);
    expect((await history('7')).days).toHaveLength(8);
    expect((await caller.get('/web/account/history?days=8' as '/web/account/history')).status).toBe(400);
  });

  test('agrees to the cent with the total, whose parts add up, where each figure alone would be rounded otherwise', async () => {
    // Each part is worth 0.6 cents: rounded alone, they would make two cents of one.
    await credit(db, company, 'ETH', 3_000_000_000_000n);
    await credit(db, company, 'ETH', 3_000_000_000_000n, 'outbound');
    const { overview, days } = await history();
    expect(overview).toMatchObject({ total: '0.01', available: '0.00', outbound: '0.01' });
    expect(days.at(-1)!.total).toBe('0.01');
  });

  test('counts days in the company’s time zone', async () => {
    await keepZone('Pacific/Kiritimati');
    now = new Date('2026-11-20T10:30:00Z');
    expect((await history()).days.at(-1)!.date).toBe('2026-11-21');
    await keepZone('Asia/Hong_Kong');
    expect((await history()).days.at(-1)!.date).toBe('2026-11-20');
  });

  test('has the days of a clock change', async () => {
    await keepZone('Europe/London');
    now = new Date('2026-10-26T12:00:00Z');
    const { days } = await history('7');
    expect(days.map(({ date }) => date.slice(8))).toEqual(['19', '20', '21', '22', '23', '24', '25', '26']);
  });
});

describe('the change of a period', () => {
  test('of a first deposit is paid in, not a rise', async () => {
    await credit(db, company, 'USDT', 501_465_900_000n);
    expect((await history()).change).toEqual({
      total: '501465.90',
      paidIn: '501465.90',
      paidOut: '0.00',
      prices: '0.00',
    });
  });

  test('tells what came in, what went out and what prices made, and adds up to the cent', async () => {
    await credit(db, company, 'ETH', 1_000_000_000_000_000_000n);
    await credit(db, company, 'USDT', 500_000_000n);
    now = new Date(started.getTime() + dayMs);
    await price({ ETH: '2100.337' }, now);
    const grown = await history();
    expect(grown.change).toEqual({ total: '2600.34', paidIn: '2500.01', paidOut: '0.00', prices: '100.33' });
    // The deposit is outside the period: only the price is left.
    now = new Date(started.getTime() + 8 * dayMs);
    await price({ ETH: '1999.00', USDT: '1', USDC: '1', HKDT: '0.128' }, now);
    expect((await history('7')).change).toEqual({
      total: '-101.34',
      paidIn: '0.00',
      paidOut: '0.00',
      prices: '-101.34',
    });
  });

  test('does not count holds, nor those given back; a settled transfer is paid out with its fee', async () => {
    await credit(db, company, 'USDT', 100_000_000n);
    const cancelled = await moved('transfer.reserve', ['available', 'outbound', 30_000_000n]);
    await moved('transfer.release', ['outbound', 'available', 30_000_000n], cancelled);
    const sent = await moved('transfer.reserve', ['available', 'outbound', 21_000_000n]);
    expect((await history()).change).toMatchObject({ total: '100.00', paidIn: '100.00', paidOut: '0.00' });
    await moved('transfer.settle', ['outbound', 'chain', 21_000_000n], sent);
    const { change, overview } = await history();
    expect(change).toEqual({ total: '79.00', paidIn: '100.00', paidOut: '21.00', prices: '0.00' });
    expect(overview.total).toBe('79.00');
  });

  test('counts a deposit that was taken back as not paid in', async () => {
    const sourceId = await moved('deposit.credited', ['chain', 'available', 5_000_000n]);
    await credit(db, company, 'USDT', 2_000_000n);
    await db.worker.withCompany(company.id, async (tx) => {
      const correctsId = await findPosting(tx, sourceId, 'deposit.credited');
      if (!correctsId) throw new Error('it was posted');
      const legs = reversed(await legsOf(tx, correctsId));
      await post(tx, { id: newId(), kind: 'deposit.reversed', sourceId, description: 'test', correctsId, legs });
    });
    expect((await history()).change).toEqual({ total: '2.00', paidIn: '2.00', paidOut: '0.00', prices: '0.00' });
  });

  test('is unknown while something that is held has no price', async () => {
    await credit(db, company, 'USDT', 5_000_000n);
    await forgetPrices();
    const { change, days } = await history();
    expect(change).toBeNull();
    expect([days.at(0)!.total, days.at(-1)!.total]).toEqual(['0.00', null]);
  });

  test('counts many postings in the days in which they were made', async () => {
    for (let i = 0; i < 70; i++) await credit(db, company, 'HKDT', 1_000_000n);
    now = new Date(started.getTime() + dayMs);
    for (let i = 0; i < 3; i++) await credit(db, company, 'HKDT', 1_000_000n);
    expect((await history('7')).change).toMatchObject({ paidIn: '9.34', total: '9.34' });
  });
});
