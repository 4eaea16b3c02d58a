import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../platform/database.ts';
import { RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { riskSubject } from '../../../testing/risk.ts';
import type { RiskSubject } from '../domain.ts';
import { assess, forget } from './assess.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** As the transfers call it: a refused one is remembered. */
async function submit(database: Database, companyId: string, subject: RiskSubject) {
  return database
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

async function addEntry(companyId: string, account: string, limits: [number, number, number] | null) {
  const id = newId();
  const cents = limits?.map((usd) => BigInt(usd * 100)) ?? [null, null, null];
  await db.app.withCompany(companyId, (tx) =>
    sql`insert into risk_list_entry (company_id, id, kind, payee_type, account, account_key, single_cents, daily_cents,
        cumulative_cents, created_by_name)
      values (company_id(), ${id}, ${limits ? 'white' : 'black'}, 'crypto_address', ${account}, ${account.toLowerCase()},
        ${cents[0]}::numeric, ${cents[1]}::numeric, ${cents[2]}::numeric, 'test')`.execute(tx),
  );
  return id;
}

test('a company without lists and policies lets everything pass, and counts it', async () => {
  const companyId = newId();
  expect(await submit(db.app, companyId, riskSubject())).toBeNull();
  expect(await submit(db.app, companyId, riskSubject({ usd: 50 }))).toBeNull();
  const held = await db.app.withCompany(companyId, (tx) =>
    sql`select transactions, quantity, value_cents from risk_usage where company_id = company_id()`.execute(tx),
  );
  expect(held.rows).toEqual([{ transactions: 2, quantity: 150_000_000n, value_cents: 15_000n }]);
});

test('limits of the white list may be reached and not passed; what is given back is free again', async () => {
  const companyId = newId();
  const { account } = riskSubject();
  await addEntry(companyId, account, [60, 100, 130]);
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 60.01 }))).toBe('whitelistSingle');
  const first = riskSubject({ account, usd: 60 });
  expect(await submit(db.app, companyId, first)).toBeNull();
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 40.01 }))).toBe('whitelistDaily');
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 40 }))).toBeNull();
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 0.01 }))).toBe('whitelistDaily');
  for (const database of [db.worker, db.app, db.app]) {
    await database.withCompany(companyId, (tx) => forget(tx, first.id));
  }
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 60.01 }))).toBe('whitelistSingle');
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 60 }))).toBeNull();
  expect(await submit(db.app, companyId, riskSubject({ account, usd: 0.01 }))).toBe('whitelistDaily');
});

test('a later judgement leaves the own count out, and a blacklisting in between stops it', async () => {
  const companyId = newId();
  const subject = riskSubject({ usd: 100 });
  await addEntry(companyId, subject.account, [100, 100, 100]);
  expect(await submit(db.app, companyId, subject)).toBeNull();
  for (const [database, moment] of [
    [db.app, 'decision'],
    [db.worker, 'handover'],
  ] as const) {
    const verdict = await database.withCompany(companyId, (tx) => assess(tx, subject, moment));
    expect(verdict.allowed).toBe(true);
  }
  const other = riskSubject();
  expect(await submit(db.app, companyId, other)).toBeNull();
  const entryId = await addEntry(companyId, other.account, null);
  expect(await db.worker.withCompany(companyId, (tx) => assess(tx, other, 'handover'))).toMatchObject({
    allowed: false,
    reason: 'blacklisted',
    subjectId: entryId,
  });
});
