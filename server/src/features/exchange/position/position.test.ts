import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { executedExchange, setLimit, setTerms } from '../../../testing/exchanges.ts';
import { bookOnce } from './booking.ts';
import { profitByDay } from './profit.ts';
import { type DaySum, findDays, findPositions } from './store.ts';
import { verifyPosition } from './verify.ts';

/** The platform's position is the sum of executed exchanges, each once, whenever it commits; limits see it before it is booked. */

let db: TestDatabase;
let company: TestCompany;
beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
});
afterAll(() => db.close());

const position = async (asset: string) =>
  (await db.console.withoutCompany(findPositions)).find((one) => one.asset === asset)?.minor ?? '0';
const room = async (asset: string) => {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{
      take: string | null;
      give: string | null;
    }>`select take::text, give::text from exchange_quote_room(${asset})`.execute(tx),
  );
  return rows[0];
};
const verified = () => db.operator.withoutCompany(verifyPosition);

test('an executed exchange counts at once against the limits, and once in the position', async () => {
  const before = BigInt(await position('ETH'));
  expect(await room('ETH')).toEqual({ take: null, give: null });
  await setLimit(db, 'ETH', { mostLong: '5000000000000000000', mostShort: '0' });
  await executedExchange(db, company, { sell: 'ETH', buy: 'USDT', sold: 2n * 10n ** 18n, bought: 4_990_000_000n });
  // Not booked yet: the limits know it.
  expect(await position('ETH')).toBe(String(before + 2n * 10n ** 18n));
  expect(await room('ETH')).toEqual({ take: '3000000000000000000', give: '2000000000000000000' });
  expect(await bookOnce(db.worker)).toBe(1);
  expect(await bookOnce(db.worker)).toBe(0);
  expect(await position('ETH')).toBe(String(before + 2n * 10n ** 18n));
  expect(await position('USDT')).toBe('-4990000000');
  expect(await room('ETH')).toEqual({ take: '3000000000000000000', give: '2000000000000000000' });
  expect((await verified()).mismatches).toEqual([]);
});

test('one that commits late, after others that were executed later, is not missed', async () => {
  const before = await position('USDC');
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let isWritten = () => {};
  const written = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  const slow = executedExchange(
    {
      ...db,
      app: {
        ...db.app,
        withCompany: (id, work) =>
          db.app.withCompany(id, async (tx) => {
            const result = await work(tx);
            isWritten();
            await held;
            return result;
          }),
      },
    },
    company,
    { sell: 'USDC', buy: 'HKDT', sold: 7n, bought: 50n, sellUsd: '1', buyUsd: '0.128' },
  );
  await written;
  await executedExchange(db, company, {
    sell: 'USDC',
    buy: 'HKDT',
    sold: 5n,
    bought: 40n,
    sellUsd: '1',
    buyUsd: '0.128',
  });
  expect(await bookOnce(db.worker)).toBe(1);
  commit();
  await slow;
  expect(await bookOnce(db.worker)).toBe(1);
  expect(BigInt(await position('USDC')) - BigInt(before)).toBe(12n);
  expect((await verified()).mismatches).toEqual([]);
});

test('several workers at once book each exchange once, whatever their number', async () => {
  const before = BigInt(await position('USDT'));
  const amounts = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
  for (const sold of amounts) {
    await executedExchange(db, company, {
      sell: 'USDT',
      buy: 'ETH',
      sold,
      bought: sold * 10n,
      sellUsd: '1',
      buyUsd: '2500',
    });
  }
  const booked = await Promise.all(Array.from({ length: 8 }, () => bookOnce(db.worker)));
  expect(booked.reduce((sum, one) => sum + one, 0)).toBe(40);
  expect(BigInt(await position('USDT')) - before).toBe(820n);
  expect((await verified()).mismatches).toEqual([]);
});

test('the verifier finds what was changed behind its back', async () => {
  const superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  try {
    await superuser.query('begin');
    await superuser.query("update causeway.exchange_position set minor = minor + 1 where asset_id = 'USDT'");
    await superuser.query('commit');
    expect((await verified()).mismatches).toEqual([
      { subject: 'USDT', problem: expect.stringMatching(/^position: .*its entries make/) },
    ]);
    await superuser.query("update causeway.exchange_position set minor = minor - 1 where asset_id = 'USDT'");
    await superuser.query('alter table causeway.position_entry disable trigger append_only');
    await superuser.query(
      "delete from causeway.position_entry where source_id = (select source_id from causeway.position_entry where asset_id = 'HKDT' limit 1)",
    );
    const problems = (await verified()).mismatches.map(({ problem }) => problem);
    expect(problems).toContain('exchange, taken: executed, and not in the position');
  } finally {
    await superuser.end();
  }
});

test('a fill is in the position once with its amounts, and so the verifier finds one that is changed, missing or of no order', async () => {
  await setLimit(db, 'ETH', {});
  const superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  const before = (await verified()).mismatches;
  const found = async () =>
    (await verified()).mismatches.filter(
      (one) => !before.some((old) => old.problem === one.problem && old.subject === one.subject),
    );
  try {
    await superuser.query('set search_path = causeway');
    await superuser.query("insert into exchange_venue (id, kind) values ('venue', 'kraken')");
    const [order, fill, stray] = [newId(), newId(), newId()];
    await superuser.query(
      `insert into hedge_order (id, venue_id, asset_id, counter_id, pair, side, quantity, limit_price, asset_usd, counter_usd, position, state, sent_at)
      values ($1, 'venue', 'ETH', 'USD', 'ETHUSD', 'sell', 2, 2400, 2500, 1, 0, 'open', now())`,
      [order],
    );
    await superuser.query(
      `insert into hedge_fill (id, order_id, venue_id, trade_id, quantity, price, cost, fee, fee_asset, at)
      values ($1, $2, 'venue', 'one', 2, 2490, 4980, 12.5, 'USD', now())`,
      [fill, order],
    );
    expect(await found()).toEqual([
      { subject: order, problem: expect.stringMatching(/^hedge: filled 0; its fills make 2/) },
    ]);
    await superuser.query('update hedge_order set filled = 2 where id = $1', [order]);
    expect(await found()).toEqual([]);
    await superuser.query('alter table position_entry disable trigger append_only');
    await superuser.query("update position_entry set fee = 0 where source_id = $1 and side = 'taken'", [fill]);
    await superuser.query("update position_entry set amount = amount - 1 where source_id = $1 and side = 'given'", [
      fill,
    ]);
    expect((await found()).map(({ subject, problem }) => [subject, problem.slice(0, 12)])).toEqual(
      expect.arrayContaining([
        [fill, 'hedge, given'],
        [fill, 'hedge, taken'],
      ]),
    );
    await superuser.query('delete from position_entry where source_id = $1', [fill]);
    expect(await found()).toContainEqual({ subject: fill, problem: 'hedge, given: executed, and not in the position' });
    await superuser.query(
      "insert into position_entry (source, source_id, side, asset_id, amount, usd, at) values ('hedge', $1, 'taken', 'USD', 5, 5, now())",
      [stray],
    );
    expect(await found()).toContainEqual({
      subject: stray,
      problem: 'hedge, taken: in the position, and not executed',
    });
  } finally {
    await superuser.end();
  }
});

test('neither the worker nor a company’s process changes a position or an executed exchange', async () => {
  const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toMatchObject({ code });
  await refused(
    db.worker.withoutCompany((tx) => sql`update exchange_position set minor = 0`.execute(tx)),
    '42501',
  );
  await refused(
    db.app.withCompany(company.id, (tx) => sql`update exchange set executed_sold = 1`.execute(tx)),
    'CW001',
  );
  await refused(
    db.app.withCompany(company.id, (tx) => sql`select * from position_entry`.execute(tx)),
    '42501',
  );
});

describe('limits', () => {
  test('one operator narrows, two widen; to begin hedging takes two', async () => {
    await setLimit(db, 'HKDT', { mostLong: '100', mostShort: '100' });
    await setLimit(db, 'HKDT', { mostLong: '60', mostShort: '100' }, { agreed: false });
    for (const wider of [
      { mostLong: '61', mostShort: '100' },
      { mostLong: null, mostShort: '100' },
      { mostLong: '60', mostShort: null },
      { mostLong: '60', mostShort: '100', hedgeFrom: '50', hedgeTo: '0' },
    ]) {
      await expect(setLimit(db, 'HKDT', wider, { agreed: false })).rejects.toMatchObject({ code: 'CW001' });
    }
    await setLimit(db, 'HKDT', { mostLong: '60', mostShort: '100', hedgeFrom: '50', hedgeTo: '10' });
    await setLimit(db, 'HKDT', { mostLong: '60', mostShort: '100', hedgeFrom: '40', hedgeTo: '10' }, { agreed: false });
    await expect(setLimit(db, 'HKDT', { mostLong: '60', mostShort: '100' }, { agreed: false })).rejects.toMatchObject({
      code: 'CW001',
    });
    await setLimit(db, 'HKDT', { mostLong: '80', mostShort: '100', hedgeFrom: '40', hedgeTo: '10' });
    expect((await db.console.withoutCompany(findPositions)).find(({ asset }) => asset === 'HKDT')).toMatchObject({
      mostLong: 80n,
      hedgeFrom: 40n,
    });
  });
});

test('terms: the company’s own beat the others, a pair beats one side, and the largest size that is reached holds', async () => {
  const spread = async (sell: string, buy: string, usdCents: number, companyId = company.id) => {
    const { rows } = await db.app.withCompany(companyId, (tx) =>
      sql<{ points: number }>`select exchange_spread(${companyId}, ${sell}, ${buy}, ${usdCents}) as points`.execute(tx),
    );
    return rows[0]?.points;
  };
  const other = (await openTestCompany(db)).id;
  expect(await spread('ETH', 'USDT', 1)).toBe(0);
  await setTerms(db, { basisPoints: 9 });
  await setTerms(db, { buy: 'USDT', basisPoints: 8 });
  await setTerms(db, { sell: 'ETH', basisPoints: 7 });
  await setTerms(db, { sell: 'ETH', buy: 'USDT', basisPoints: 6 });
  await setTerms(db, { sell: 'ETH', buy: 'USDT', fromUsdCents: '1000', basisPoints: 5 });
  await setTerms(db, { companyId: company.id, basisPoints: 4 });
  await setTerms(db, { companyId: company.id, fromUsdCents: '500', basisPoints: null });
  expect(await spread('USDC', 'HKDT', 1, other)).toBe(9);
  expect(await spread('USDC', 'USDT', 1, other)).toBe(8);
  expect(await spread('ETH', 'HKDT', 1, other)).toBe(7);
  expect(await spread('ETH', 'USDT', 999, other)).toBe(6);
  expect(await spread('ETH', 'USDT', 1000, other)).toBe(5);
  expect(await spread('ETH', 'USDT', 1000)).toBe(4);
  // From now on, and what was before has ended.
  await setTerms(db, { companyId: company.id, basisPoints: null });
  await setTerms(db, { sell: 'ETH', buy: 'USDT', fromUsdCents: '1000', basisPoints: 3 });
  expect(await spread('ETH', 'USDT', 1000)).toBe(3);
});

describe('profit and loss', () => {
  const row = (given: Partial<DaySum>): DaySum => ({
    day: '2026-01-02',
    asset: 'ETH',
    decimals: 18,
    source: 'exchange',
    amount: '0',
    usd: '0',
    feeUsd: '0',
    ...given,
  });
  const dollars = (usd: string, given: Partial<DaySum> = {}) =>
    row({ asset: 'USD', decimals: 2, amount: String(Number(usd) * 100), usd, ...given });

  test('spread, hedging, revaluation and fees are separate figures whose sum is the growth of the position', () => {
    const sums = [
      // Took 1 ETH worth 2500 for 2490, then sold it at a venue for 2495, with ETH at 2600 in the evening.
      row({ amount: '1000000000000000000', usd: '2500', feeUsd: '2.50' }),
      dollars('-2490'),
      row({ source: 'hedge', amount: '-1000000000000000000', usd: '-2500' }),
      dollars('2495', { source: 'hedge', feeUsd: '-6.49' }),
      row({ day: '2026-01-03', amount: '2000000000000000000', usd: '5200' }),
      dollars('-5190', { day: '2026-01-03' }),
    ];
    const price = (asset: string, day: string) =>
      asset === 'USD' ? '1' : { '2026-01-02': '2600', '2026-01-03': '2700', '2026-01-04': '2650' }[day];
    const [one, two, three] = profitByDay(sums, ['2026-01-02', '2026-01-03', '2026-01-04'], price);
    expect(one).toMatchObject({
      spread: '10.00',
      hedging: '-5.00',
      revaluation: '0.00',
      feesEarned: '2.50',
      feesPaid: '-6.49',
      total: '1.01',
    });
    expect(two).toMatchObject({ spread: '10.00', hedging: '0.00', revaluation: '200.00', total: '210.00' });
    expect(three).toMatchObject({ spread: '0.00', revaluation: '-100.00', total: '-100.00' });
    expect(three?.assets).toContainEqual({ asset: 'ETH', value: '5300.00', revaluation: '-100.00' });
  });

  test('without a price there is no revaluation, and no total', () => {
    const sums = [row({ amount: '1', usd: '1' }), dollars('-1')];
    const [one] = profitByDay(sums, ['2026-01-02'], (asset) => (asset === 'USD' ? '1' : undefined));
    expect(one).toMatchObject({ spread: '0.00', revaluation: null, total: null });
  });

  test('over any trades and prices the days add up to the value of all positions at the end', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    const trade = fc.record({
      day: fc.integer({ min: 1, max: 5 }),
      units: fc.integer({ min: -9, max: 9 }),
      usd: cents,
    });
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 20 }),
        fc.array(cents, { minLength: 5, maxLength: 5 }),
        (trades, prices) => {
          const sums = trades.flatMap(({ day, units, usd }) => {
            const on = { day: `2026-01-0${day}` };
            return [
              row({ ...on, decimals: 0, amount: String(units), usd: String(units * 3) }),
              row({
                ...on,
                asset: 'USD',
                decimals: 2,
                amount: String(-units * usd),
                usd: String((-units * usd) / 100),
              }),
            ];
          });
          const days = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}`);
          const price = (asset: string, day: string) =>
            asset === 'USD' ? '1' : String((prices[Number(day.slice(-1)) - 1] ?? 0) / 100);
          const total = profitByDay(sums, days, price).reduce(
            (sum, one) => sum + Math.round(Number(one.total) * 100),
            0,
          );
          const last = prices[4] ?? 0;
          const worth = trades.reduce((sum, { units, usd }) => sum + units * last - units * usd, 0);
          // Each day is rounded to the cent.
          expect(Math.abs(total - worth)).toBeLessThanOrEqual(5);
        },
      ),
    );
  });
});

test('the days of the position have its trades by source', async () => {
  const days = await db.console.withoutCompany(findDays);
  expect(days.map(({ source }) => source)).toContain('exchange');
});
