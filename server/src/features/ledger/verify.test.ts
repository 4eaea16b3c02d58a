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
  // Triggers and rights are set aside, as by an intruder who holds the database's files.
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

  // What foreign keys would say if they were enforced (migration 0013).
  await asSuperuser(`delete from causeway.ledger_posting where id = '${postingId}'`);
  expect(await problems()).toEqual([available.id, postingId, postingId]);
  await asSuperuser(`delete from causeway.ledger_account where id = '${accounts.chain.id}'`);
  expect(await problems()).toEqual([available.id, accounts.chain.id, postingId, postingId]);
  const correction = newId();
  await asSuperuser(`delete from causeway.ledger_entry; update causeway.ledger_account set balance = 0, version = 0;
    insert into causeway.ledger_posting (company_id, id, kind, source_id, description, corrects_id)
    values ('${companyId}', '${correction}', 'test', '${newId()}', '', '${newId()}')`);
  expect(await problems()).toEqual([correction, correction]);
});

test('finds a balance of the wrong sign whose entries agree with it', async () => {
  const companyId = newId();
  const walletId = newId();
  const postingId = newId();
  const own = await db.app.withCompany(companyId, async (tx) => {
    await openAccounts(tx, walletId, 'USDT', ['available', 'chain']);
    const found = await accountsByKind(tx, walletId, ['available', 'chain']);
    const posting = { id: postingId, kind: 'test', sourceId: newId(), description: '' };
    await post(tx, { ...posting, legs: move(found.chain.id, found.available.id, 5n) });
    return found;
  });
  await asSuperuser(`update causeway.ledger_account set balance = -balance where company_id = '${companyId}';
    update causeway.ledger_entry set amount = -amount, balance_after = -balance_after where company_id = '${companyId}'`);
  const found = (await db.operator.withoutCompany(verifyLedger)).mismatches.filter(
    (one) => one.companyId === companyId,
  );
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([own.available.id, own.chain.id]));
  expect(found.every(({ problem }) => problem.includes('wrong sign'))).toBe(true);
});
