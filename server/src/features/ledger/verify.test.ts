import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { accountsByKind, move, openAccounts, post, verifyLedger } from './index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  // Triggers and rights are set aside, as by somebody who holds the database's files.
  await client.query(`set session_replication_role = replica; ${statement}`).finally(() => client.end());
}

const problems = async () => (await db.operator.withoutCompany(verifyLedger)).mismatches.map(({ id }) => id);

test('finds a changed balance, a changed entry and a missing one, and nothing in a sound ledger', async () => {
  const companyId = newId();
  const walletId = newId();
  const postingId = newId();
  const accounts = await db.app.withCompany(companyId, async (tx) => {
    await openAccounts(tx, walletId, 'USDT', ['available', 'chain']);
    const own = await accountsByKind(tx, walletId, ['available', 'chain']);
    const posting = { id: postingId, kind: 'test', sourceId: newId(), description: '' };
    await post(tx, { ...posting, legs: move(own.chain.id, own.available.id, 100n) });
    return own;
  });
  expect(await problems()).toEqual([]);

  const { available } = accounts;
  await asSuperuser(`update causeway.ledger_account set balance = 101 where id = '${available.id}'`);
  expect(await problems()).toEqual([available.id]);
  await asSuperuser(`update causeway.ledger_account set balance = 100 where id = '${available.id}'`);

  await asSuperuser(`update causeway.ledger_entry set amount = 99 where account_id = '${available.id}'`);
  expect(await problems()).toEqual([available.id, available.id, postingId]);
  await asSuperuser(`delete from causeway.ledger_entry where account_id = '${available.id}'`);
  expect(await problems()).toEqual([available.id, postingId]);
});
