import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import type { Tx } from './database.ts';
import { DomainError, RememberedError } from './domain-error.ts';
import { newId } from './ids.ts';
import { countEvent, eventsIn } from './throttle.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const company = newId();
const bucket = () => `test:${newId()}`;
const seen = (name: string) => db.app.withoutCompany((tx) => eventsIn(tx, name));

test('an error rolls back; one that must be remembered commits', async () => {
  const [forgotten, remembered] = [bucket(), bucket()];
  const fail = (name: string, error: Error) =>
    db.app.withCompany(company, async (tx) => {
      await countEvent(tx, name, 60_000);
      throw error;
    });
  await expect(fail(forgotten, new DomainError('codeWrong'))).rejects.toMatchObject({ key: 'codeWrong' });
  await expect(fail(remembered, new RememberedError('codeWrong'))).rejects.toMatchObject({ key: 'codeWrong' });
  expect([await seen(forgotten), await seen(remembered)]).toEqual([0, 1]);
});

test('a failed statement whose error is swallowed does not pass for success', async () => {
  const name = bucket();
  const swallowed = db.app.withCompany(company, async (tx) => {
    await countEvent(tx, name, 60_000);
    await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    return 'done';
  });
  await expect(swallowed).rejects.toThrow('rolled back at its commit');
  expect(await seen(name)).toBe(0);
});

test('the last statement is part of the transaction: if it fails, nothing is kept', async () => {
  const name = bucket();
  const failing = db.app.withCompany(company, (tx) => countEvent(tx, name, 60_000), { last: () => sql`select 1 / 0` });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await seen(name)).toBe(0);
});

test('a transaction that has ended takes no more statements', async () => {
  let kept: Tx | undefined;
  await db.app.withCompany(company, async (tx) => {
    kept = tx;
    await sql`select 1`.execute(tx);
  });
  await expect(sql`select 1`.execute(kept as Tx)).rejects.toThrow('within its transaction');
});

test('the company of one transaction is not that of the next on the same connection', async () => {
  const [a, b] = [newId(), newId()];
  const companyOf = (tx: Tx) =>
    sql<{ id: string | null }>`select company_id() as id`.execute(tx).then(({ rows }) => rows[0]?.id);
  for (const id of [a, b]) expect(await db.app.withCompany(id, companyOf)).toBe(id);
  const { rows } = await db.app.withoutCompany((tx) =>
    sql<{ id: string | null }>`select company_id() as id`.execute(tx),
  );
  expect(rows[0]?.id).toBeNull();
});
