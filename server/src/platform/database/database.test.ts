import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { DomainError, RememberedError } from '../domain-error.ts';
import { countEvent, eventsIn } from '../http/throttle.ts';
import { newId } from '../ids.ts';
import { databaseError, openDatabase, type Tx, together } from './database.ts';

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

test('statements that are sent with COMMIT are part of the transaction', async () => {
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

test('when a deferred statement fails, its error is reported, and not the errors that follow from it', async () => {
  const told = db.app.withCompany(company, async (tx) => {
    const refused = sql`select 1 / 0`.execute(tx).catch(() => Promise.reject(new DomainError('insufficientBalance')));
    tx.leave([refused]);
    await sql`select 1`.execute(tx);
  });
  await expect(told).rejects.toMatchObject({ key: 'insufficientBalance' });
});

test('an error of the work itself is reported, and rolls back its deferred statements', async () => {
  const name = bucket();
  const failing = db.app.withCompany(company, async (tx) => {
    tx.leave([countEvent(tx, name, 60_000)]);
    throw new DomainError('codeWrong');
  });
  await expect(failing).rejects.toMatchObject({ key: 'codeWrong' });
  expect(await seen(name)).toBe(0);
});

test('of statements that share a round trip, the first that failed is reported, also to those issued before it', async () => {
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

test('a company is named by a UUID and nothing else, since its name is written into a statement', async () => {
  for (const name of ['', 'x', `${company}'; select 1; --`, company.toUpperCase()]) {
    const work = vi.fn(async () => undefined);
    await expect(async () => db.app.withCompany(name, work)).rejects.toThrow('a company id is a UUID');
    expect(work).not.toHaveBeenCalled();
  }
});

describe('a transaction that PostgreSQL gave up', () => {
  const raising = (state: string) => `$$ begin raise exception using errcode = '${state}'; end $$`;

  /** Fails with a state at its first so many runs. */
  function failing(state: string, times: number) {
    const work = vi.fn(async (tx: Tx) => {
      if (work.mock.calls.length <= times) {
        await sql`do ${sql.raw(raising(state))}`.execute(tx);
      }
      return 'done';
    });
    return work;
  }

  test.each(['40001', '40P01'])('is run again three times after %s', async (state) => {
    const work = failing(state, 3);
    expect(await db.app.withCompany(company, work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(4);
  });

  test.each(['40001', '40P01'])('is run again, too, after %s with its commit', async (state) => {
    const work = vi.fn(async () => 'done');
    const last = () => (work.mock.calls.length < 3 ? sql`do ${sql.raw(raising(state))}` : null);
    expect(await db.app.withCompany(company, work, { last })).toBe('done');
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('for an outage with its commit is not run again, since it may have been committed', async () => {
    const work = vi.fn(async () => 'done');
    const last = () => sql`do ${sql.raw(raising('57P01'))}`;
    await expect(db.app.withCompany(company, work, { last })).rejects.toMatchObject({ code: '57P01' });
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('and no more often', async () => {
    const work = failing('40P01', 9);
    await expect(db.app.withCompany(company, work)).rejects.toMatchObject({ code: '40P01' });
    expect(work).toHaveBeenCalledTimes(4);
  });

  test('for another reason is not run again', async () => {
    const work = failing('22012', 1);
    await expect(db.app.withCompany(company, work)).rejects.toMatchObject({ code: '22012' });
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('locks that a transaction begins with', () => {
  const low = 71_001n;
  const between = 71_002n;
  const high = 2n ** 63n - 5n;

  /** Tries a lock from outside; gives it back at once. */
  async function isFree(lock: bigint): Promise<boolean> {
    const { rows } = await db.operator.pool.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock(${lock}) as free`,
    );
    return rows[0]?.free ?? false;
  }

  test('are held to its end', async () => {
    await db.app.withCompany(
      company,
      async (tx) => {
        await sql`select 1`.execute(tx);
        expect([await isFree(low), await isFree(high)]).toEqual([false, false]);
      },
      { locks: [low, high] },
    );
    expect([await isFree(low), await isFree(high)]).toEqual([true, true]);
  });

  test.each([
    [[low, between, high]],
    [[high, between, low]],
    [[between, low, high]],
    [[high, low, between]],
    [[low, low, high]],
  ])('are taken in ascending order, so that two that want the same never wait for each other: %s', async (locks) => {
    const holder = await db.operator.pool.connect();
    await holder.query(`select pg_advisory_lock(${low})`);
    const waiting = db.app.withCompany(company, (tx) => sql`select 1`.execute(tx), { locks });
    await expect
      .poll(async () => {
        const { rows } = await holder.query(
          `select from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()`,
        );
        return rows.length;
      })
      .toBe(1);
    expect([await isFree(between), await isFree(high)]).toEqual([true, true]);
    await holder.query(`select pg_advisory_unlock(${low})`);
    holder.release();
    await waiting;
  });

  test('of any 64 bits are locks, whatever their sign', async () => {
    const unsigned = 2n ** 64n - 7n;
    await db.app.withCompany(
      company,
      async (tx) => {
        await sql`select 1`.execute(tx);
        expect(await isFree(-7n)).toBe(false);
      },
      { locks: [unsigned] },
    );
  });

  test('that cannot be taken are the error that is reported, not the statement that failed after them', async () => {
    const holder = await db.operator.pool.connect();
    await holder.query(`select pg_advisory_lock(${low})`);
    const url = new URL(db.urlFor('causeway_app'));
    url.searchParams.set('options', '-c lock_timeout=20ms');
    const impatient = openDatabase(url.href, { poolSize: 1, applicationName: 'impatient' });
    await expect(
      impatient.withCompany(company, (tx) => sql`select 1`.execute(tx), { locks: [low] }),
    ).rejects.toMatchObject({ code: '55P03' });
    await impatient.close();
    await holder.query(`select pg_advisory_unlock(${low})`);
    holder.release();
  });
});

test('a closed database has no connection left', async () => {
  const other = openDatabase(db.urlFor('causeway_app'), { poolSize: 2, applicationName: 'closing' });
  await other.withoutCompany((tx) => sql`select 1`.execute(tx));
  await other.close();
  expect(other.pool.totalCount).toBe(0);
  await expect(other.withoutCompany((tx) => sql`select 1`.execute(tx))).rejects.toThrow();
});

test('a statement says how many rows it changed', async () => {
  const changed = await db.app.withoutCompany(async (tx) => {
    const inserted = await sql`insert into throttle (bucket, events, window_ends_at)
      values (${bucket()}, 1, now()), (${bucket()}, 1, now())`.execute(tx);
    const nothing = await sql`do $$ begin end $$`.execute(tx);
    return [inserted.numAffectedRows, nothing.numAffectedRows];
  });
  expect(changed).toEqual([2n, 0n]);
});

test('an error of the database is known by its state, and no other error is one', async () => {
  const error: unknown = await db.app.withoutCompany((tx) => sql`select 1 / 0`.execute(tx)).catch((known) => known);
  expect(databaseError(error)).toEqual({ state: '22012', constraint: undefined, message: 'division by zero' });
  for (const other of [new Error('x'), 'x', null, undefined, new pg.DatabaseError('without a state', 1, 'error')]) {
    expect(databaseError(other)).toBeNull();
  }
});

test('a connection that breaks, in use or idle, ends nothing but itself', async () => {
  const other = openDatabase(db.urlFor('causeway_app'), { poolSize: 1, applicationName: 'breaking' });
  const client = await other.pool.connect();
  expect(() => client.emit('error', new Error('broken'))).not.toThrow();
  client.release();
  expect(() => other.pool.emit('error', new Error('broken'), client)).not.toThrow();
  await other.close();
});

test('a write of a use case that only reads is a broken invariant; its other errors come as they are', async () => {
  const reading = (work: (tx: Tx) => Promise<unknown>) => db.app.withCompany(company, work, { readOnly: true });
  const name = bucket();
  await expect(reading((tx) => countEvent(tx, name, 60_000))).rejects.toThrow('a read-only use case writes');
  expect(await seen(name)).toBe(0);
  await expect(reading((tx) => sql`select 1 / 0`.execute(tx))).rejects.toMatchObject({ code: '22012' });
  const refused = new DomainError('walletNotFound');
  await expect(reading(() => Promise.reject(refused))).rejects.toBe(refused);
});

test('a count beyond the safe integers is a broken invariant, not a wrong number', async () => {
  const count = (digits: string) =>
    db.app.withoutCompany((tx) => sql<{ n: number }>`select ${digits}::int8 as n`.execute(tx));
  expect((await count(`${Number.MAX_SAFE_INTEGER}`)).rows).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
  await expect(count('9007199254740993')).rejects.toThrow('beyond the safe integers');
});
