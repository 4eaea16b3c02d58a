import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type Tx, together } from './database.ts';
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

test('what is left to the commit is part of the transaction', async () => {
  const name = bucket();
  const leaving = (failing: boolean) =>
    db.app.withCompany(company, async (tx) => {
      tx.leave([
        countEvent(tx, name, 60_000),
        ...(failing ? [sql`select 1 / 0`.execute(tx), countEvent(tx, name, 60_000)] : []),
      ]);
      return 'done';
    });
  await expect(leaving(true)).rejects.toMatchObject({ code: '22012' });
  expect(await seen(name)).toBe(0);
  expect(await leaving(false)).toBe('done');
  expect(await seen(name)).toBe(1);
});

test('the error of what was left is told, not that of what failed because of it', async () => {
  const told = db.app.withCompany(company, async (tx) => {
    const refused = sql`select 1 / 0`.execute(tx).catch(() => Promise.reject(new DomainError('insufficientBalance')));
    tx.leave([refused]);
    await sql`select 1`.execute(tx);
  });
  await expect(told).rejects.toMatchObject({ key: 'insufficientBalance' });
});

test('an error of the work itself rolls back what was left, and is told', async () => {
  const name = bucket();
  const failing = db.app.withCompany(company, async (tx) => {
    tx.leave([countEvent(tx, name, 60_000)]);
    throw new DomainError('codeWrong');
  });
  await expect(failing).rejects.toMatchObject({ key: 'codeWrong' });
  expect(await seen(name)).toBe(0);
});

test('of statements that travel together the one that failed is told, even by those issued before it', async () => {
  const failing = db.app.withCompany(company, async (tx) => {
    const twoSteps = async () => {
      await sql`select 1`.execute(tx);
      await sql`select 2`.execute(tx);
    };
    await together([twoSteps(), sql`select 1 / 0`.execute(tx)]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
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
