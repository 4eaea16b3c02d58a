import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { countStuck, type UnsentPayment, unsentPayments } from '../../chains/index.ts';

let db: TestDatabase;
let company: TestCompany;
beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
});
afterAll(() => db.close());

const old = '2026-01-02T03:04:05.678Z';
const before = new Date('2026-01-03T00:00:00Z');
const approved = { type: 'chain_withdraw', status: 'pending', stage: 'approved', createdAt: old } as const;

/** All pages, as tending asks for them. */
async function everyPage(): Promise<string[]> {
  const ids: string[] = [];
  let page: UnsentPayment[] = [];
  do {
    const after: UnsentPayment | null = page.at(-1) ?? null;
    page = await db.worker.withoutCompany((tx) => unsentPayments(tx, 'ethereum', before, after));
    ids.push(...page.map(({ id }) => id));
  } while (page.length > 0);
  return ids;
}

test('payments that were never sent are found page by page, each once, those of frozen wallets and newer ones not', async () => {
  const [other, frozen] = [await openTestCompany(db), await openTestCompany(db)];
  const wanted: string[] = [];
  // More than a page of them, all of one instant.
  for (let count = 0; count < 210; count += 1) wanted.push(await insertTestTransaction(db, company, approved));
  await db.worker.withCompany(company.id, (tx) =>
    sql`update transaction set stage_at = stage_at + interval '1 microsecond' where id = ${wanted[0]}`.execute(tx),
  );
  wanted.push(await insertTestTransaction(db, other, { ...approved, stage: 'signing' }));
  await insertTestTransaction(db, other, { ...approved, createdAt: before.toISOString() });
  await insertTestTransaction(db, other, { ...approved, stage: 'broadcast' });
  await insertTestTransaction(db, other, { ...approved, status: 'failed', stage: 'cancelled' });
  await insertTestTransaction(db, frozen, approved);
  await db.operator.withoutCompany((tx) =>
    sql`update wallet set frozen_at = now(), frozen_reason = 'test' where company_id = ${frozen.id}`.execute(tx),
  );

  expect((await everyPage()).sort()).toEqual(wanted.sort());
  const counts = await db.worker.withoutCompany((tx) => countStuck(tx, 'ethereum', before));
  expect(counts.get('unsent')).toBe(wanted.length);
});
