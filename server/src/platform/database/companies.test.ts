import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { auditAll } from '../audit/record.ts';
import type { Outcome } from '../batching.ts';
import { DomainError, RememberedError } from '../domain-error.ts';
import { newId } from '../ids.ts';
import { planEachTime } from './connection.ts';
import { type CompaniesTx, type Tx, together } from './database.ts';
import { locksOf, type Once, onceEach, type Shared } from './idempotency.ts';
import { announceAll } from './outbox.ts';

/** Transactions of several companies, and requests that share one. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const note = (tx: CompaniesTx, companyId: string, name: string) => announceAll(tx, [{ companyId, name, payload: {} }]);

/** Names of what was announced in a company, as its worker sees them. */
async function notesOf(companyId: string): Promise<string[]> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ name: string }>`select name from outbox where company_id = ${companyId} order by name`.execute(tx),
  );
  return rows.map(({ name }) => name);
}

async function keep(companyId: string, key: string): Promise<void> {
  const once = { companyId, memberId: newId(), key, call: 'test', request: {} };
  await onceEach(db.app, [once], { read: async () => null, work: async () => [{ answer: 'kept' }] });
}

describe('the fence of a transaction of several companies', () => {
  const keysSeen = (tx: CompaniesTx, companyIds: readonly string[]) =>
    sql<{ key: string }>`
      select key from idempotency where company_id = any (${[...companyIds]}::uuid[]) order by key`
      .execute(tx)
      .then(({ rows }) => rows.map(({ key }) => key));

  test('shows the rows of its companies, and of no other', async () => {
    const [a, b, other] = [newId(), newId(), newId()];
    for (const [id, key] of [
      [a, 'key of a'],
      [b, 'key of b'],
      [other, 'other key'],
    ] as const)
      await keep(id, key);
    const all = [a, b, other];
    expect(await db.app.withCompanies([a, b], (tx) => keysSeen(tx, all))).toEqual(['key of a', 'key of b']);
    expect(await db.app.withCompanies([other], (tx) => keysSeen(tx, all))).toEqual(['other key']);
  });

  test('refuses rows of another company, and then keeps none of the rest', async () => {
    const [a, other] = [newId(), newId()];
    const reaching = db.app.withCompanies([a], async (tx) => {
      tx.leave([note(tx, a, 'own'), note(tx, other, 'foreign')]);
    });
    await expect(reaching).rejects.toMatchObject({ code: '42501' });
    expect([await notesOf(a), await notesOf(other)]).toEqual([[], []]);
  });

  test('admits to no table that a submission does not need, and to no other command', async () => {
    const a = newId();
    const asking = (statement: string) => db.app.withCompanies([a], (tx) => sql.raw(statement).execute(tx));
    await expect(asking('select password_hash from credential')).rejects.toMatchObject({ code: '42501' });
    await expect(asking('delete from outbox')).rejects.toMatchObject({ code: '42501' });
    await expect(asking('update idempotency set key = key')).rejects.toMatchObject({ code: '42501' });
    await expect(asking('select from session')).rejects.toMatchObject({ code: '42501' });
  });

  test('ends with the transaction: the next on the connection has one company, and the rights of its own role', async () => {
    const [a, b] = [newId(), newId()];
    await keep(a, 'key of a');
    const one = { ...db.app };
    await one.withCompanies([a, b], (tx) => keysSeen(tx, [a, b]));
    const after = async (tx: Tx) => ({
      keys: await keysSeen(tx, [a, b]),
      role: (await sql<{ role: string; ids: string[] }>`select current_user as role, company_ids() as ids`.execute(tx))
        .rows,
    });
    expect(await one.withCompany(b, after)).toEqual({ keys: [], role: [{ role: 'causeway_app', ids: [b] }] });
    const { rows } = await one.withoutCompany((tx) => sql`select key from idempotency`.execute(tx));
    expect(rows).toEqual([]);
  });

  test('takes statements that are planned each time, several in one transaction', async () => {
    const found = await db.app.withCompanies([newId()], (tx) =>
      together([
        sql<{ n: number }>`${planEachTime} select 1 as n`.execute(tx),
        sql<{ n: number }>`${planEachTime} select 2 as n`.execute(tx),
      ]),
    );
    expect(found.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  test('is for the web-facing process alone', async () => {
    const taken = db.worker.withCompanies([newId()], async () => undefined);
    await expect(taken).rejects.toMatchObject({ code: '42501' });
  });

  test('what is not the id of a company is refused', async () => {
    await expect(async () => db.app.withCompanies(["'); drop"], async () => undefined)).rejects.toThrow('UUID');
    await expect(async () => db.app.withCompanies([], async () => undefined)).rejects.toThrow('a batch has a company');
  });
});

describe('requests that share a transaction', () => {
  const request = (more: Partial<Once> = {}): Once => ({
    companyId: newId(),
    memberId: newId(),
    key: newId(),
    call: 'test',
    request: { amount: '1' },
    ...more,
  });

  /** Answers with the place; leaves a note in each company that is decided. */
  const serve = (requests: readonly Once[], refusals: Readonly<Record<number, Error>> = {}) => {
    const decided: number[] = [];
    const done = onceEach<null, string>(db.app, requests, {
      read: async () => null,
      async work(tx, places) {
        decided.push(...places);
        return places.map((place): Outcome<string> => {
          tx.leave([note(tx, requests[place]?.companyId ?? '', 'decided')]);
          const refused = refusals[place];
          return refused ? { refused } : { answer: `answer ${place}` };
        });
      },
    });
    return { done, decided };
  };

  test('have an outcome each: an earlier answer, a new one, a refusal, a key that was used for something else', async () => {
    const [known, fresh, refused, reused] = [request(), request(), request(), request()];
    await serve([known]).done;
    await serve([reused]).done;
    const error = new DomainError('walletNotFound');
    const other = { ...reused, request: { amount: '2' } };
    const { done, decided } = serve([known, fresh, refused, other], { 2: error });
    expect(await done).toMatchObject([
      { answer: { answer: 'answer 0', replayed: true } },
      { answer: { answer: 'answer 1', replayed: false } },
      { refused: error },
      { refused: { key: 'idempotencyKeyReused' } },
    ]);
    expect(decided).toEqual([1, 2]);
    // A refusal is not recorded: the same key may try again.
    expect(await serve([fresh, refused]).done).toMatchObject([
      { answer: { answer: 'answer 1', replayed: true } },
      { answer: { answer: 'answer 1', replayed: false } },
    ]);
  });

  /** Answers 'late' for each, with what a test gives in the place of reading, deciding and waiting. */
  const serveWith = (requests: readonly Once[], given: Partial<Shared<null, string>>) =>
    onceEach<null, string>(db.app, requests, {
      read: async () => null,
      work: async (_tx, places) => places.map(() => ({ answer: 'late' })),
      ...given,
    });
  const gone = async () => {
    throw new DomainError('walletNotFound');
  };

  test('have their earlier answers although what would be read is gone, and where all of them have, nothing is decided', async () => {
    const [one, other] = [request(), request()];
    await serve([one, other]).done;
    const work = () => Promise.reject(new Error('nothing is to be decided'));
    expect(await serveWith([one, other], { read: gone, work })).toEqual([
      { answer: { answer: 'answer 0', replayed: true } },
      { answer: { answer: 'answer 1', replayed: true } },
    ]);
  });

  test('fail together of what reading throws as soon as one of them is new', async () => {
    const [known, fresh] = [request(), request()];
    await serve([known]).done;
    await expect(serveWith([known, fresh], { read: gone })).rejects.toMatchObject({ key: 'walletNotFound' });
    expect(await serveWith([fresh], {})).toEqual([{ answer: { answer: 'late', replayed: false } }]);
  });

  test('fail of what the look for earlier answers fails of', async () => {
    // PostgreSQL takes no zero byte in a text.
    await expect(serveWith([request({ key: 'a\0b' })], {})).rejects.toMatchObject({ code: '22021' });
  });

  test('a use case that leaves one of them without an outcome breaks an invariant', async () => {
    const decided = serveWith([request(), request()], { work: async () => [{ answer: 'only one' }] });
    await expect(decided).rejects.toThrow('each request that is decided has an outcome');
  });

  test('with a key that another transaction holds give up after a moment, or wait for it where they may', async () => {
    const held = request();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const holding = db.app.withCompany(
      held.companyId,
      async (tx) => {
        await sql`select 1`.execute(tx);
        hold();
        await mayEnd;
      },
      { locks: locksOf(held) },
    );
    await Promise.race([isHeld, holding]);
    await expect(serveWith([request(), held], {})).rejects.toMatchObject({ code: '55P03' });
    let isDone = false;
    const patient = serveWith([held], { waitsForLocks: true }).finally(() => {
      isDone = true;
    });
    await expect.poll(lockWaits).toBe(1);
    expect(isDone).toBe(false);
    end();
    await holding;
    expect(await patient).toEqual([{ answer: { answer: 'late', replayed: false } }]);
  });

  async function lockWaits(): Promise<number> {
    const { rows } = await db.operator.pool.query(
      'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()',
    );
    return rows.length;
  }

  test('what one that is refused has to be remembered by is kept', async () => {
    const refused = request();
    await serve([request(), refused], { 1: new RememberedError('codeWrong') }).done;
    expect(await notesOf(refused.companyId)).toEqual(['decided']);
  });

  test('a failing statement keeps nothing of any of them', async () => {
    const requests = [request(), request()];
    const failing = onceEach<null, string>(db.app, requests, {
      read: async () => null,
      async work(tx) {
        tx.leave([note(tx, requests[0]?.companyId ?? '', 'first'), sql`select 1 / 0`.execute(tx)]);
        return [{ answer: 'first' }, { answer: 'second' }];
      },
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await notesOf(requests[0]?.companyId ?? '')).toEqual([]);
    expect(await serve(requests).done).toMatchObject([
      { answer: { replayed: false } },
      { answer: { replayed: false } },
    ]);
  });

  test('with one key, or for one id, in two transactions run one after the other', async () => {
    const shared = request({ makes: newId() });
    const rounds = 10;
    for (let round = 0; round < rounds; round += 1) {
      const once = { ...shared, key: newId(), makes: newId() };
      const [first, second] = await Promise.all([serve([request(), once]).done, serve([once, request()]).done]);
      const replayed = [first[1], second[0]].map(
        (outcome) => outcome && 'answer' in outcome && outcome.answer.replayed,
      );
      expect(replayed.toSorted()).toEqual([false, true]);
    }
  });

  test('leave entries in the audit trail of each company, sealed later', async () => {
    const [a, b] = [newId(), newId()];
    const entry = {
      actor: { kind: 'system', id: 'test' },
      action: 'identity.signOut',
      subjectKind: 'session',
      subjectId: newId(),
    } as const;
    await db.app.withCompanies([a, b], async (tx) => {
      await auditAll(
        tx,
        [a, b, a].map((companyId) => ({ companyId, ...entry })),
      );
    });
    const count = (companyId: string) =>
      db.worker.withCompany(companyId, (tx) =>
        sql<{ events: number; unsealed: number }>`
          select count(*) as events, (select count(*) from audit_unsealed u where u.company_id = ${companyId}) as unsealed
          from audit_event e where e.company_id = ${companyId}`
          .execute(tx)
          .then(({ rows }) => rows[0]),
      );
    expect([await count(a), await count(b)]).toEqual([
      { events: 2, unsealed: 2 },
      { events: 1, unsealed: 1 },
    ]);
  });
});
