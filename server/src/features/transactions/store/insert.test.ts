import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { fillValues } from '../service/fill-values.ts';
import { recordedValueOf, valuationOf } from '../service/view.ts';
import { insertTransactions, type NewTransaction } from './insert.ts';
import { changeStage, insertRefund, lockTransaction } from './lifecycle.ts';
import { readTransactions } from './reading.ts';

let db: TestDatabase;
let company: TestCompany;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
  await priced('USDT', '0.9995');
  await priced('HKD', '0.128');
});

async function priced(asset: string, usd: string, age = '1 minute'): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    sql`insert into rate (asset_id, usd, updated_at, source) values (${asset}, ${usd}, now() - ${age}::interval, 'test')
      on conflict (asset_id) do update set usd = excluded.usd, updated_at = excluded.updated_at`.execute(tx),
  );
}

async function keepBooksIn(currency: string): Promise<void> {
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company_setting (company_id, time_zone, code_recipient, base_currency)
      values (company_id(), 'Asia/Hong_Kong', 'initiator', ${currency})`.execute(tx),
  );
}

async function changeBooksTo(currency: string): Promise<void> {
  await db.app.withCompany(company.id, async (tx) => {
    const settings = await findCompanySettings(tx);
    await sql`insert into company_setting (company_id, time_zone, code_recipient, base_currency)
      values (company_id(), ${settings.timeZone}, ${settings.codeRecipient}, ${currency})
      on conflict (company_id) do update set base_currency = excluded.base_currency`.execute(tx);
  });
}

/** The last price of a day, so many days ago. */
async function daily(asset: string, usd: string, daysAgo: number): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    sql`insert into rate_daily (asset_id, day, usd, source, updated_at)
      values (${asset}, (now() at time zone 'UTC')::date - ${daysAgo}::integer, ${usd}, 'test', now() - ${daysAgo} * interval '1 day')
      on conflict (asset_id, day) do update set usd = excluded.usd`.execute(tx),
  );
}

async function writtenDaysAgo(id: string, days: number): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query(`update causeway.transaction set created_at = created_at - $2 * interval '1 day' where id = $1`, [
    id,
    days,
  ]);
  await client.end();
}

async function write(transaction: Partial<NewTransaction>) {
  const id = newId();
  return db.worker.withCompany(company.id, async (tx) => {
    await insertTransactions(tx, [
      {
        id,
        type: 'chain_deposit',
        walletId: company.wallets.USDT,
        coin: 'USDT',
        quantityMinor: 12_345_670n,
        chain: { chainId: 'ethereum' },
        timeline: [{ stage: 'seen' }],
        ...transaction,
      },
    ]);
    return read(tx, id);
  });
}

async function read(tx: Tx, id: string) {
  const [row] = await readTransactions(tx, [id]);
  if (!row) throw new Error('it was written');
  return row;
}

describe('the value of a new transaction', () => {
  test('is kept in US dollars and in the company’s base currency, rounded half up to minor units', async () => {
    await keepBooksIn('HKD');
    // 12.34567 × 0.9995 = 12.339497…; ÷ 0.128 = 96.4023…
    expect(await write({})).toMatchObject({ valueUsdCents: 1234n, baseCurrency: 'HKD', baseValueMinor: 9640n });
    await priced('USDT', '1');
    expect(await write({ quantityMinor: 5000n })).toMatchObject({ valueUsdCents: 1n, baseValueMinor: 4n });
  });

  test('is in US dollars alone where the company chose nothing else', async () => {
    expect(await write({})).toMatchObject({ valueUsdCents: 1234n, baseCurrency: 'USD', baseValueMinor: 1234n });
  });

  test('is the one that a decision was based on, where there is one', async () => {
    expect(await write({ valueUsdCents: 1200n })).toMatchObject({
      valueUsdCents: 1200n,
      baseValueMinor: 1200n,
      price: null,
    });
  });

  test('is unknown where no price is known, or none of the last hour', async () => {
    const unknown = { valueUsdCents: null, baseCurrency: null, baseValueMinor: null };
    await priced('USDT', '1', '61 minutes');
    expect(await write({})).toMatchObject(unknown);
    expect(await write({ coin: 'ETH', walletId: company.wallets.ETH })).toMatchObject(unknown);
    await priced('USDT', '1');
    await keepBooksIn('EUR');
    expect(await write({})).toMatchObject({ ...unknown, valueUsdCents: 1235n });
  });
});

describe('the rates of a value', () => {
  test('are kept with source and time, so that they can be shown beside it', async () => {
    await keepBooksIn('HKD');
    const row = await write({});
    expect(row.price).toMatchObject({ usd: '0.9995', source: 'test' });
    expect(row.baseRate).toMatchObject({ usd: '0.128', source: 'test' });
    const { base } = valuationOf(row);
    expect(base).toMatchObject({ currency: 'HKD', amount: '96.40', rateOf: 'moment' });
    expect(base.rate).toMatchObject({ rate: '7.80859375', source: 'test' });
  });

  test('of the price are kept beside a value that a decision gave, if they are what gives it', async () => {
    expect((await write({ valueUsdCents: 1234n })).price).toMatchObject({ usd: '0.9995' });
    expect((await write({ valueUsdCents: 1200n })).price).toBeNull();
  });
});

describe('after a change of the base currency', () => {
  test('a value is that of the US dollars by the day’s exchange rate; the one that was kept is still there', async () => {
    await keepBooksIn('HKD');
    const { id } = await write({});
    await daily('GBP', '1.25', 0);
    await changeBooksTo('GBP');
    const row = await db.app.withCompany(company.id, (tx) => read(tx, id));
    // 12.34 ÷ 1.25
    expect(valuationOf(row).base).toMatchObject({ currency: 'GBP', amount: '9.87', rateOf: 'day' });
    expect(recordedValueOf(row)).toEqual({ currency: 'HKD', amount: '96.40' });
    await changeBooksTo('HKD');
    const again = await db.app.withCompany(company.id, (tx) => read(tx, id));
    expect(valuationOf(again).base).toMatchObject({ currency: 'HKD', amount: '96.40', rateOf: 'moment' });
    expect(recordedValueOf(again)).toBeNull();
  });

  test('a day without a rate leaves the value in US dollars alone', async () => {
    const { id } = await write({});
    await daily('SGD', '0.77', 1);
    await changeBooksTo('SGD');
    const row = await db.app.withCompany(company.id, (tx) => read(tx, id));
    expect(valuationOf(row)).toMatchObject({ usd: '12.34', base: { currency: 'SGD', amount: null, rateOf: null } });
  });
});

describe('a value that was missing', () => {
  test('is filled in by the price of its day once that is over, and never by another', async () => {
    await keepBooksIn('HKD');
    await priced('USDT', '1', '61 minutes');
    const [known, unknown, today] = [await write({}), await write({}), await write({})];
    await daily('USDT', '0.5', 3);
    await daily('HKD', '0.125', 3);
    await writtenDaysAgo(known.id, 3);
    await writtenDaysAgo(unknown.id, 4);
    await daily('USDT', '0.9', 0);
    expect(await fillValues(db.worker)).toBe(1);
    expect(await fillValues(db.worker)).toBe(0);
    const rows = await db.app.withCompany(company.id, (tx) => readTransactions(tx, [known.id, unknown.id, today.id]));
    expect(rows.map(({ valueUsdCents }) => valueUsdCents)).toEqual([617n, null, null]);
    // 6.172835 ÷ 0.125 = 49.38268
    expect(valuationOf(rows[0] ?? known)).toMatchObject({
      usd: '6.17',
      price: { rate: '0.5', source: 'test' },
      base: { currency: 'HKD', amount: '49.38', rateOf: 'moment' },
    });
  });

  test('has no note while there is a value, and no role may write a value that is there', async () => {
    const { id } = await write({});
    await daily('USDT', '7', 2);
    await writtenDaysAgo(id, 2);
    expect(await fillValues(db.worker)).toBe(0);
    const change = (tx: Tx) => sql`update transaction set value_usd_cents = 1 where id = ${id}`.execute(tx);
    await expect(db.worker.withCompany(company.id, change)).rejects.toThrow('permission denied');
  });
});

test('what it was exchanged for is kept with rate, source, time, quote and value date', async () => {
  const quoteId = newId();
  const at = new Date('2026-11-20T01:02:03.000Z');
  const row = await write({
    type: 'crypto_exchange_out',
    timeline: [{ stage: 'submitted' }],
    counter: { asset: 'HKD', quantityMinor: 9_640n },
    rate: { rate: '7.8085937500', source: 'desk', at, quoteId },
    valueDate: '2026-11-24',
  });
  expect(row).toMatchObject({
    direction: 'out',
    counterAsset: 'HKD',
    counterDecimals: 2,
    counterQuantityMinor: 9_640n,
    rate: '7.8085937500',
    rateSource: 'desk',
    rateAt: at,
    quoteId,
    valueDate: '2026-11-24',
  });
});

test.each([
  ['two', 1n],
  // Each row is then written whole.
  ['many', 12n],
])('those written together keep what is their own, where they share %s sets of the rest', async (_, fees) => {
  const initiator = { id: newId(), name: 'Ada' };
  const withdrawn = (amount: bigint, notes: string): NewTransaction => ({
    id: newId(),
    type: 'chain_withdraw',
    walletId: company.wallets.USDT,
    coin: 'USDT',
    quantityMinor: amount,
    feeMinor: amount % fees,
    notes,
    initiator,
    chain: { chainId: 'ethereum' },
    timeline: [{ stage: 'submitted', actor: initiator }, { stage: 'approved' }],
  });
  const deposited: NewTransaction = {
    id: newId(),
    type: 'chain_deposit',
    walletId: company.wallets.ETH,
    coin: 'ETH',
    quantityMinor: 3n,
    payerAccount: '0xabc',
    chain: { chainId: 'ethereum' },
    timeline: [{ stage: 'seen' }],
  };
  const all = [
    withdrawn(1n, 'one'),
    deposited,
    ...Array.from({ length: 20 }, (_, n) => withdrawn(BigInt(n + 2), `${n}`)),
  ];
  const rows = await db.worker.withCompany(company.id, async (tx) => {
    await insertTransactions(tx, all);
    return readTransactions(
      tx,
      all.map(({ id }) => id),
    );
  });
  const shown = new Map(rows.map((row) => [row.id, row]));
  expect(all.map(({ id }) => shown.get(id))).toMatchObject(
    all.map(({ type, coin, quantityMinor, feeMinor = 0n, notes = '', payerAccount = null }) => ({
      type,
      coin,
      quantityMinor,
      feeMinor,
      notes,
      payerAccount,
    })),
  );
});

test('where it is on its chain is kept apart, and nothing is while it has no hash', async () => {
  expect(await write({})).toMatchObject({ chainId: 'ethereum', hash: null, blockNumber: null, confirmations: null });
  const chain = { chainId: 'ethereum', hash: '0xabc', blockNumber: 7, blockHash: '0xdef', confirmations: 0 };
  expect(await write({ chain })).toMatchObject({ hash: '0xabc', blockNumber: 7, confirmations: 0 });
});

test('a stage that its type’s life does not have is refused', async () => {
  await expect(write({ timeline: [{ stage: 'signing' }] })).rejects.toThrow('signing is a stage of chain_deposit');
  const { id } = await write({});
  await expect(
    db.worker.withCompany(company.id, (tx) => changeStage(tx, id, ['seen'], { stage: 'broadcast' })),
  ).rejects.toThrow('broadcast is a stage of chain_deposit');
  expect((await db.worker.withCompany(company.id, (tx) => read(tx, id))).stage).toBe('seen');
});

test('a failed one and its refund point to each other; the refund is amount and fee, refunded', async () => {
  const { id } = await write({ type: 'fiat_payout', feeMinor: 1_000_000n, timeline: [{ stage: 'submitted' }] });
  const refundId = newId();
  const [failed, refund] = await db.worker.withCompany(company.id, async (tx) => {
    await changeStage(tx, id, ['submitted'], { stage: 'cancelled', reason: 'stage.reason.cancelled' });
    const locked = await lockTransaction(tx, id);
    if (!locked) throw new Error('it was written');
    await insertRefund(tx, locked, refundId);
    return [await read(tx, id), await read(tx, refundId)];
  });
  expect(failed).toMatchObject({ status: 'failed', relatedId: refundId, failureReason: 'stage.reason.cancelled' });
  expect(refund).toMatchObject({
    type: 'failed_refund',
    status: 'completed',
    stage: 'refunded',
    direction: 'in',
    relatedId: id,
    quantityMinor: 13_345_670n,
    feeMinor: 0n,
  });
});
