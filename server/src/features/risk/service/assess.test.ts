import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { enact, forbidding, listAddress, riskManager, riskSubject } from '../../../testing/risk.ts';
import type { AssessedSubject } from '../domain.ts';
import { assess, forget, riskSentence } from './assess.ts';
import { explain } from './explain.ts';
import { removeEntry, setSetting } from './lists.ts';
import { deletePolicy, listHits, setPolicyStatus } from './policies.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** As the transfers call it: a refused one is remembered. Returns the reason. */
async function submit(companyId: string, subject: AssessedSubject): Promise<unknown> {
  return db.app
    .withCompany(companyId, async (tx) => {
      const verdict = await assess(tx, subject, 'submission');
      if (!verdict.allowed) throw new RememberedError('riskRefused', { reason: verdict.reason ?? '' });
      return verdict.reason;
    })
    .catch((error: unknown) => {
      if (error instanceof RememberedError) return error.details['reason'];
      throw error;
    });
}

function giveBack(database: Database, companyId: string, id: string): Promise<void> {
  return database.withCompany(companyId, (tx) => forget(tx, id));
}

async function held(companyId: string) {
  const { rows } = await db.app.withCompany(companyId, (tx) =>
    sql`select sum(transactions)::int as transactions, sum(quantity) as quantity, sum(value_cents) as cents
      from risk_usage where company_id = company_id()`.execute(tx),
  );
  return rows[0];
}

/** Makes everything counted so far older by days, as if time had passed. */
async function letDaysPass(companyId: string, days: number): Promise<void> {
  await db.app.withCompany(companyId, async (tx) => {
    await sql`update risk_usage set day = day - ${days}::integer where company_id = company_id()`.execute(tx);
    await sql`update risk_list_usage set day = day - ${days}::integer where company_id = company_id()`.execute(tx);
  });
}

test('a company without lists and policies lets everything pass, and counts it', async () => {
  const companyId = newId();
  expect(await submit(companyId, riskSubject())).toBeNull();
  expect(await submit(companyId, riskSubject({ usd: 50 }))).toBeNull();
  expect(await held(companyId)).toEqual({ transactions: 2, quantity: 150_000_000n, cents: 15_000n });
});

test('what is stopped is not counted, and stays on record with its content', async () => {
  const companyId = newId();
  const policyId = await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['USDT'] }));
  const subject = riskSubject({ usd: 12.5 });
  expect(await submit(companyId, subject)).toBe('policy');
  expect(await held(companyId)).toEqual({ transactions: null, quantity: null, cents: null });
  const { items } = await db.app.withCompany(companyId, (tx) => listHits(tx, { locale: 'en-us' }, { id: policyId }));
  expect(items).toMatchObject([
    { transactionId: null, quantity: '12.500000', valueUsd: '12.50', account: subject.account, policyVersion: 1 },
  ]);
});

describe('limits of the white list', () => {
  test('may be reached and not passed; what is given back is free again, once', async () => {
    const companyId = newId();
    const { account } = riskSubject();
    await listAddress(db, companyId, account, [60, 100, 130]);
    const send = (usd: number) => submit(companyId, riskSubject({ account, usd }));
    expect(await send(60.01)).toBe('whitelistSingle');
    const first = riskSubject({ account, usd: 60 });
    expect(await submit(companyId, first)).toBeNull();
    expect(await send(40.01)).toBe('whitelistDaily');
    expect(await send(40)).toBeNull();
    expect(await send(0.01)).toBe('whitelistDaily');
    for (const database of [db.worker, db.app, db.app]) await giveBack(database, companyId, first.id);
    expect(await send(60.01)).toBe('whitelistSingle');
    expect(await send(60)).toBeNull();
    expect(await send(0.01)).toBe('whitelistDaily');
    await letDaysPass(companyId, 1);
    expect(await send(30.01)).toBe('whitelistCumulative');
    expect(await send(30)).toBeNull();
    expect(await send(0.01)).toBe('whitelistCumulative');
  });

  test('do not exempt from policies', async () => {
    const companyId = newId();
    const subject = riskSubject();
    await listAddress(db, companyId, subject.account, [1000, 1000, 1000]);
    await enact(db, companyId, forbidding({ dimension: 'chain', chains: ['ethereum'] }));
    expect(await submit(companyId, subject)).toBe('policy');
  });

  test('a black entry comes first; off the list, all is as before', async () => {
    const companyId = newId();
    await enact(db, companyId, forbidding({ dimension: 'chain', chains: ['ethereum'] }));
    const { account } = riskSubject();
    const id = await listAddress(db, companyId, account.toLowerCase(), null);
    expect(await submit(companyId, riskSubject({ account }))).toBe('blacklisted');
    await db.app.withCompany(companyId, (tx) => removeEntry(tx, riskManager(companyId), chainFamilies, id));
    expect(await submit(companyId, riskSubject({ account }))).toBe('policy');
  });

  test('"only whitelisted" stops every other account', async () => {
    const companyId = newId();
    await db.app.withCompany(companyId, (tx) => setSetting(tx, riskManager(companyId), { onlyWhitelisted: true }));
    const subject = riskSubject();
    expect(await submit(companyId, subject)).toBe('notWhitelisted');
    await listAddress(db, companyId, subject.account, [100, 100, 100]);
    expect(await submit(companyId, subject)).toBeNull();
    expect(await submit(companyId, riskSubject({ accountKind: 'bank_no', account: '123456789' }))).toBe(
      'notWhitelisted',
    );
  });
});

describe('windows', () => {
  test('hold what the same business sent, the limit met exactly', async () => {
    const companyId = newId();
    await enact(db, companyId, forbidding({ dimension: 'crypto_value', from: '100.01', to: null }));
    expect(await submit(companyId, riskSubject({ usd: 60 }))).toBeNull();
    const payment = { business: 'payment', coin: null, chainId: null, currency: 'USD', decimals: 2 } as const;
    expect(await submit(companyId, riskSubject({ ...payment, quantityMinor: 9900n, usd: 99 }))).toBeNull();
    expect(await submit(companyId, riskSubject({ usd: 40.01 }))).toBe('policy');
    expect(await submit(companyId, riskSubject({ usd: 40, coin: 'USDC' }))).toBeNull();
    expect(await submit(companyId, riskSubject({ usd: 0.01 }))).toBe('policy');
    await letDaysPass(companyId, 1);
    expect(await submit(companyId, riskSubject({ usd: 100 }))).toBeNull();
  });

  test('add up quantities of their own coin alone, in its decimals', async () => {
    const companyId = newId();
    const content = { dimension: 'crypto_quantity' as const, coin: 'ETH', from: '0', to: '1.000000000000000001' };
    await enact(db, companyId, forbidding(content, { method: 'allow_only', window: 'month' }));
    const ether = (quantityMinor: bigint) => riskSubject({ coin: 'ETH', decimals: 18, quantityMinor, usd: 1 });
    expect(await submit(companyId, riskSubject({ usd: 5000 }))).toBeNull();
    expect(await submit(companyId, ether(6n * 10n ** 17n))).toBeNull();
    expect(await submit(companyId, ether(4n * 10n ** 17n + 1n))).toBe('policy');
    expect(await submit(companyId, ether(4n * 10n ** 17n))).toBeNull();
    expect(await submit(companyId, ether(1n))).toBe('policy');
  });

  test('count the transaction itself: the third of three is the last', async () => {
    const companyId = newId();
    await enact(db, companyId, forbidding({ dimension: 'crypto_frequency', from: '4', to: null }, { window: 'week' }));
    const reasons = [];
    for (let i = 0; i < 4; i++) reasons.push(await submit(companyId, riskSubject()));
    expect(reasons).toEqual([null, null, null, 'policy']);
    await letDaysPass(companyId, 7);
    expect(await submit(companyId, riskSubject())).toBeNull();
  });

  test('an exemption ends the asking; switched off or deleted policies are not asked', async () => {
    const companyId = newId();
    const rest = await enact(db, companyId, forbidding({ dimension: 'chain', chains: ['ethereum'] }));
    const content = { dimension: 'crypto_value' as const, from: '0', to: '50' };
    const small = { method: 'allow_only', result: 'allow', position: 1 } as const;
    const exemption = await enact(db, companyId, forbidding(content, small));
    expect(await submit(companyId, riskSubject({ usd: 49.99 }))).toBeNull();
    expect(await submit(companyId, riskSubject({ usd: 0.01 }))).toBe('policy');
    await db.app.withCompany(companyId, (tx) =>
      setPolicyStatus(tx, riskManager(companyId), { id: rest, active: false }),
    );
    expect(await submit(companyId, riskSubject({ usd: 0.01 }))).toBeNull();
    await db.app.withCompany(companyId, (tx) => deletePolicy(tx, riskManager(companyId), exemption));
    expect(await submit(companyId, riskSubject({ usd: 0.01 }))).toBeNull();
  });
});

test('a later judgement leaves the own count out, and a blacklisting in between stops it', async () => {
  const companyId = newId();
  const subject = riskSubject({ usd: 100 });
  await listAddress(db, companyId, subject.account, [100, 100, 100]);
  await enact(db, companyId, forbidding({ dimension: 'crypto_frequency', from: '2', to: null }));
  expect(await submit(companyId, subject)).toBeNull();
  for (const [database, moment] of [
    [db.app, 'decision'],
    [db.worker, 'handover'],
  ] as const) {
    const verdict = await database.withCompany(companyId, (tx) => assess(tx, subject, moment));
    expect(verdict.allowed).toBe(true);
  }
  expect(await held(companyId)).toEqual({ transactions: 1, quantity: 100_000_000n, cents: 10_000n });
  const other = riskSubject();
  expect(await submit(companyId, other)).toBe('policy');

  const stranger = newId();
  const pending = riskSubject();
  expect(await submit(stranger, pending)).toBeNull();
  const entryId = await listAddress(db, stranger, pending.account, null);
  const verdict = await db.worker.withCompany(stranger, (tx) => assess(tx, pending, 'handover'));
  expect(verdict).toMatchObject({ allowed: false, reason: 'blacklisted', subjectId: entryId });
  const explained = await db.app.withCompany(stranger, (tx) => explain(tx, pending.id, 'en-us'));
  expect(explained?.judgements.map(({ moment, allowed }) => [moment, allowed])).toEqual([
    ['handover', false],
    ['submission', true],
  ]);
});

describe('a later judgement', () => {
  const later = (companyId: string, subject: AssessedSubject) =>
    db.worker.withCompany(companyId, (tx) => assess(tx, subject, 'handover'));

  test('leaves the own quantity out of the limit that it reached', async () => {
    const companyId = newId();
    const content = { dimension: 'crypto_quantity' as const, coin: 'USDT', from: '0', to: '100.000001' };
    await enact(db, companyId, forbidding(content, { method: 'allow_only' }));
    const subject = riskSubject({ usd: 100 });
    expect(await submit(companyId, subject)).toBeNull();
    expect(await later(companyId, subject)).toMatchObject({ allowed: true });
    expect(await submit(companyId, riskSubject({ usd: 0.01 }))).toBe('policy');
  });

  test('leaves the own value out only of the entry that it was counted under', async () => {
    const companyId = newId();
    const { account } = riskSubject();
    const own = riskSubject({ account, usd: 60 });
    const first = await listAddress(db, companyId, account, [100, 100, 100]);
    expect(await submit(companyId, own)).toBeNull();
    await db.app.withCompany(companyId, (tx) => removeEntry(tx, riskManager(companyId), chainFamilies, first));
    await listAddress(db, companyId, account, [60, 100, 100]);
    expect(await submit(companyId, riskSubject({ account, usd: 60 }))).toBeNull();
    // 60 under this entry, and its own 60 beside them.
    expect(await later(companyId, own)).toMatchObject({ allowed: false, reason: 'whitelistDaily' });
  });

  test('leaves the own value out only of the day on which it was counted', async () => {
    const companyId = newId();
    const { account } = riskSubject();
    const own = riskSubject({ account, usd: 60 });
    await listAddress(db, companyId, account, [100, 100, 1000]);
    expect(await submit(companyId, own)).toBeNull();
    await letDaysPass(companyId, 1);
    const superuser = new pg.Client({ connectionString: db.superuserUrl });
    await superuser.connect();
    await superuser.query('update causeway.risk_flow set day = day - 1 where company_id = $1', [companyId]);
    await superuser.end();
    expect(await submit(companyId, riskSubject({ account, usd: 60 }))).toBeNull();
    expect(await later(companyId, own)).toMatchObject({ allowed: false, reason: 'whitelistDaily' });
  });
});

test('why a transaction was stopped is said with the name of what stopped it', () => {
  expect(riskSentence('en-us', { reason: 'policy', subjectName: 'Small amounts' })).toContain('Small amounts');
  const unnamed = riskSentence('en-us', { reason: 'notWhitelisted', subjectName: null });
  expect(unnamed).not.toMatch(/undefined|null|\{/);
  expect(riskSentence('en-us', { reason: null, subjectName: null })).not.toBe(unnamed);
});

describe('two at once', () => {
  test(`against a daily limit that one fits: one passes, ${rounds} times`, { timeout: 300_000 }, async () => {
    const companyId = newId();
    for (let round = 0; round < rounds; round++) {
      const { account } = riskSubject();
      await listAddress(db, companyId, account, [60, 100, 1000]);
      const reasons = await Promise.all([60, 60].map((usd) => submit(companyId, riskSubject({ account, usd }))));
      expect(reasons.sort()).toEqual([null, 'whitelistDaily']);
    }
  });

  test(`against a policy's window that one fits: one passes, ${rounds} times`, { timeout: 300_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const companyId = newId();
      await enact(db, companyId, forbidding({ dimension: 'crypto_value', from: '100', to: null }, { window: 'month' }));
      const reasons = await Promise.all([60, 60].map((usd) => submit(companyId, riskSubject({ usd }))));
      expect(reasons.sort()).toEqual([null, 'policy']);
      expect(await held(companyId)).toMatchObject({ transactions: 1 });
    }
  });

  test('giving back twice at once gives back once', async () => {
    const companyId = newId();
    const [one, other] = [riskSubject({ usd: 5 }), riskSubject({ usd: 7 })];
    await submit(companyId, one);
    await submit(companyId, other);
    await Promise.all([db.app, db.worker, db.app].map((database) => giveBack(database, companyId, one.id)));
    expect(await held(companyId)).toMatchObject({ transactions: 1, cents: 700n });
  });
});

test('under the id of a transaction that was counted nothing else is judged, or written into its record', async () => {
  const companyId = newId();
  const counted = riskSubject();
  expect(await submit(companyId, counted)).toBeNull();
  await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['USDT'] }));
  await expect(submit(companyId, { ...riskSubject(), id: counted.id })).rejects.toMatchObject({ key: 'idTaken' });
  const explanation = await db.app.withCompany(companyId, (tx) => explain(tx, counted.id, 'en-us'));
  expect(explanation?.judgements).toMatchObject([{ allowed: true }]);
});

test('payments of banks and exchanges of coins are counted apart', async () => {
  const companyId = newId();
  const payment = { business: 'payment', chainId: null, accountKind: null, accountKey: '' } as const;
  const exchange = () => riskSubject({ ...payment, usd: 60 });
  const bank = () => riskSubject({ ...payment, usd: 60, coin: null, currency: 'USD', decimals: 2, region: 'HK' });
  const forPayments = { business: 'payment' } as const;
  await enact(db, companyId, forbidding({ dimension: 'fiat_frequency', from: '2', to: null }, forPayments));
  await enact(db, companyId, forbidding({ dimension: 'crypto_value', from: '150', to: null }, forPayments));
  for (const subject of [exchange(), bank(), exchange()]) expect(await submit(companyId, subject)).toBeNull();
  expect(await submit(companyId, bank())).toBe('policy');
  expect(await submit(companyId, exchange())).toBe('policy');
});
