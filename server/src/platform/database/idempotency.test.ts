import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { DomainError } from '../domain-error.ts';
import { newId } from '../ids.ts';
import { type Once, once, onceReading } from './idempotency.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const gone = async () => {
  throw new DomainError('walletNotFound');
};

test('an earlier answer comes back although what would be read is no longer there', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: { amount: '1' } };
  const first = await onceReading(
    db.app,
    request,
    async () => 2,
    async (_tx, facts) => facts * 2,
  );
  expect(first).toEqual({ answer: 4, replayed: false });
  expect(await onceReading(db.app, request, gone, async () => 5)).toEqual({ answer: 4, replayed: true });
});

test('without an earlier answer, what reading throws is thrown, and the key is as new', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: {} };
  const read = onceReading(db.app, request, gone, async () => 5);
  await expect(read).rejects.toMatchObject({ key: 'walletNotFound' });
  const again = await onceReading(
    db.app,
    request,
    async () => 1,
    async (_tx, facts) => facts,
  );
  expect(again).toEqual({ answer: 1, replayed: false });
});

test('work that begins by reading nothing is done once, too', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: {} };
  expect(await once(db.app, request, async () => 1)).toEqual({ answer: 1, replayed: false });
  expect(await once(db.app, request, async () => 2)).toEqual({ answer: 1, replayed: true });
});

test('where the look for an earlier answer fails, its fault is thrown and nothing is done', async () => {
  // PostgreSQL takes no zero byte in a text.
  const request = { companyId: newId(), memberId: newId(), key: 'a\0b', call: 'test', request: {} };
  const done: string[] = [];
  const asked = once(db.app, request, async () => done.push('worked'));
  await expect(asked).rejects.toMatchObject({ code: '22021' });
  expect(done).toEqual([]);
});

test('a key serves one call: another call with it is refused, whatever it asks', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: { amount: '1' } };
  const ask = (call: string) =>
    onceReading(
      db.app,
      { ...request, call },
      async () => 1,
      async () => 1,
    );
  await ask('test');
  await expect(ask('other')).rejects.toMatchObject({ key: 'idempotencyKeyReused' });
  expect(await ask('test')).toEqual({ answer: 1, replayed: true });
});

describe('of two requests at the same time', () => {
  const ids = () => ({ companyId: newId(), memberId: newId(), call: 'test', request: {} });

  /** Asks for the second while the first is at work, and says whether the second came to work before the first was done. */
  async function race(first: Once, second: Once) {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const one = onceReading(
      db.app,
      first,
      async () => undefined,
      async () => {
        begin();
        await mayEnd;
        return 'first';
      },
    );
    await hasBegun;
    let isFirstDone = false;
    const came: ('before' | 'after')[] = [];
    const other = onceReading(
      db.app,
      second,
      async () => undefined,
      async () => {
        came.push(isFirstDone ? 'after' : 'before');
        return 'second';
      },
    );
    await Promise.race([other, waitingForLock()]);
    isFirstDone = true;
    end();
    return { answers: await Promise.all([one, other]), came };
  }

  async function waitingForLock(): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await db.operator.pool.query(
          `select from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()`,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
  }

  test('with one key, one works and the other gets its answer', async () => {
    const request = { ...ids(), key: newId() };
    const { answers, came } = await race(request, request);
    expect(answers).toEqual([
      { answer: 'first', replayed: false },
      { answer: 'first', replayed: true },
    ]);
    expect(came).toEqual([]);
  });

  test('that make one thing under two keys, the second works when the first is done', async () => {
    const request = { ...ids(), makes: newId() };
    const { answers, came } = await race({ ...request, key: newId() }, { ...request, key: newId() });
    expect(answers.map(({ answer }) => answer)).toEqual(['first', 'second']);
    expect(came).toEqual(['after']);
  });

  test('with other keys that make nothing or other things, neither waits', async () => {
    const request = ids();
    expect((await race({ ...request, key: newId() }, { ...request, key: newId() })).came).toEqual(['before']);
    const made = () => ({ ...request, key: newId(), makes: newId() });
    expect((await race(made(), made())).came).toEqual(['before']);
  });
});
