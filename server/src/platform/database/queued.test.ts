import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { DomainError, RememberedError } from '../domain-error.ts';
import { countEvent, eventsIn } from '../http/throttle.ts';
import { newId } from '../ids.ts';
import { type Database, openDatabase } from './database.ts';
import { mostRefusals } from './queue-refusal.ts';
import { refuseQueued, refuseQueuedOf } from './queued.ts';

/** Transactions of companies with queued rows: refused, and tried again when the rows are entered. */

let db: TestDatabase;
let owner: pg.Client;
let database: Database;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  // The rows are there without a run.
  await owner.query("set search_path = causeway; set session_replication_role = 'replica'");
  database = openDatabase(db.urlFor('causeway_app'), { poolSize: 2, applicationName: 'queued' });
});
afterAll(async () => {
  await database.close();
  await owner.end();
  await db.close();
});

async function queueRows(company: string): Promise<void> {
  await owner.query(
    `insert into payout_batch_queue (company_id, run_id, part, content, seal) values ($1, $2, 0, '', ''), ($1, $2, 1, '', null)`,
    [company, newId()],
  );
}
const enterRows = (company: string) => owner.query('delete from payout_batch_queue where company_id = $1', [company]);

async function queuedCompany(): Promise<string> {
  const company = newId();
  await queueRows(company);
  return company;
}

/** Enters the rows at its so-manieth call. */
function entering(calls = 1) {
  const enter = vi.fn(async (company: string) => {
    if (enter.mock.calls.length >= calls) await enterRows(company);
  });
  database.whenQueued(enter);
  return enter;
}

type Begin = (company: string, work: () => Promise<string>) => Promise<string>;
const behind = { behindQueue: true };
/** Every way into the database, with what makes it ask for queued rows. */
const ways: [string, Begin][] = [
  ['withCompany, at its beginning', (company, work) => database.withCompany(company, () => work(), behind)],
  [
    'withCompany, in its work',
    (company, work) =>
      database.withCompany(company, async (tx) => {
        await refuseQueued(tx);
        return work();
      }),
  ],
  [
    'withCompany, with its commit',
    (company, work) =>
      database.withCompany(company, async (tx) => {
        tx.leave([refuseQueued(tx)]);
        return work();
      }),
  ],
  [
    'withCompanies, at its beginning',
    (company, work) => database.withCompanies([newId(), company], () => work(), behind),
  ],
  [
    'withCompanies, in its work',
    (company, work) =>
      database.withCompanies([company, newId()], async (tx) => {
        await refuseQueuedOf(tx, [newId(), company]);
        return work();
      }),
  ],
];

describe.each(ways)('%s', (_, begin) => {
  test('is refused while rows are queued, and runs again when they are entered', async () => {
    const company = await queuedCompany();
    const enter = entering(3);
    expect(await begin(company, async () => 'done')).toBe('done');
    expect(enter.mock.calls).toEqual([[company], [company], [company]]);
  });

  test('is not refused for the rows of another company, or without any', async () => {
    const other = await queuedCompany();
    const enter = entering();
    expect(await begin(newId(), async () => 'done')).toBe('done');
    expect(enter).not.toHaveBeenCalled();
    await enterRows(other);
  });

  test('fails of what fails as the rows are entered', async () => {
    const company = await queuedCompany();
    database.whenQueued(() => Promise.reject(new Error('cannot be entered')));
    await expect(begin(company, async () => 'done')).rejects.toThrow('cannot be entered');
    await enterRows(company);
  });
});

test('nothing of what was refused is kept, and its work runs again from the beginning', async () => {
  const company = await queuedCompany();
  const name = `test:${newId()}`;
  entering();
  let runs = 0;
  await database.withCompany(company, async (tx) => {
    runs += 1;
    await countEvent(tx, name, 60_000);
    await refuseQueued(tx);
  });
  expect(runs).toBe(2);
  expect(await database.withoutCompany((tx) => eventsIn(tx, name))).toBe(1);
});

test('work that has begun without a wait is not done where its beginning was refused', async () => {
  const company = await queuedCompany();
  const name = `test:${newId()}`;
  entering();
  await database.withCompany(company, (tx) => countEvent(tx, name, 60_000), behind);
  expect(await database.withoutCompany((tx) => eventsIn(tx, name))).toBe(1);
});

test('without `behindQueue`, and without asking, rows that are queued refuse nothing', async () => {
  const company = await queuedCompany();
  const enter = entering();
  expect(await database.withCompany(company, async () => 'done')).toBe('done');
  expect(await database.withCompanies([company], async () => 'done')).toBe('done');
  expect(enter).not.toHaveBeenCalled();
  await enterRows(company);
});

test('the connection is given back while rows are entered', async () => {
  const company = await queuedCompany();
  database.whenQueued(async () => {
    // As many as the pool has.
    await Promise.all([0, 1].map(() => database.withoutCompany((tx) => sql`select pg_sleep(0)`.execute(tx))));
    await enterRows(company);
  });
  expect(await database.withCompany(company, async () => 'done', behind)).toBe('done');
});

test('what is refused again and again fails after so many times', async () => {
  const company = await queuedCompany();
  const enter = entering(Number.POSITIVE_INFINITY);
  const work = vi.fn(async () => 'done');
  await expect(database.withCompany(company, work, behind)).rejects.toMatchObject({ code: 'CW005', detail: company });
  expect(work).toHaveBeenCalledTimes(mostRefusals + 1);
  expect(enter.mock.calls.length).toBeGreaterThanOrEqual(mostRefusals);
  await enterRows(company);
});

test('being refused takes nothing of the tries that PostgreSQL’s own refusals have', async () => {
  const company = await queuedCompany();
  entering(5);
  let runs = 0;
  const work = () =>
    database.withCompany(company, async (tx) => {
      await refuseQueued(tx);
      runs += 1;
      if (runs <= 3) await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx);
      return 'done';
    });
  expect(await work()).toBe('done');
  expect(runs).toBe(4);
});

test('a process that cannot enter rows waits until another one has, and goes on', async () => {
  const company = await queuedCompany();
  // The worker's database, for which no process has said what enters rows.
  const refused = vi.fn();
  const done = db.worker.withCompany(company, async (tx) => {
    await refuseQueued(tx).catch((error: unknown) => {
      refused();
      throw error;
    });
    return 'done';
  });
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), { timeout: 20_000 });
  await enterRows(company);
  expect(await done).toBe('done');
});

test('one that does not wait for locks is not tried again: those that share it go on without that company', async () => {
  const company = await queuedCompany();
  const enter = entering();
  const shared = database.withCompanies([company, newId()], async () => 'done', { ...behind, lockTimeoutMs: 200 });
  await expect(shared).rejects.toMatchObject({ code: 'CW005', detail: company });
  expect(enter).not.toHaveBeenCalled();
  await enterRows(company);
});

describe('what is called after the commit', () => {
  const called: string[] = [];
  afterEach(() => void called.splice(0));
  const company = newId();

  test('is called once, in its order, when what was written can be read', async () => {
    const name = `test:${newId()}`;
    const counts: Promise<number>[] = [];
    await database.withCompany(company, async (tx) => {
      tx.afterCommit(() => called.push('first'));
      tx.afterCommit(() => counts.push(database.withoutCompany((other) => eventsIn(other, name))));
      tx.afterCommit(() => called.push('last'));
      tx.leave([countEvent(tx, name, 60_000)]);
      expect(called).toEqual([]);
    });
    expect(called).toEqual(['first', 'last']);
    expect(await Promise.all(counts)).toEqual([1]);
  });

  test.each([
    [
      'withoutCompany',
      (work: (tx: { afterCommit(done: () => void): void }) => Promise<void>) => database.withoutCompany(work),
    ],
    [
      'withCompanies',
      (work: (tx: { afterCommit(done: () => void): void }) => Promise<void>) => database.withCompanies([company], work),
    ],
  ])('is called of %s, too', async (_, begin) => {
    await begin(async (tx) => tx.afterCommit(() => called.push('done')));
    expect(called).toEqual(['done']);
  });

  test.each<[string, Error | null]>([
    ['an error of the work', new Error('refused')],
    ['an error that a rule gives', new DomainError('codeWrong')],
    ['a statement that fails with the commit', null],
  ])('is not called after a rollback: %s', async (_, error) => {
    const done = database.withCompany(company, async (tx) => {
      tx.afterCommit(() => called.push('done'));
      if (error) throw error;
      tx.leave([sql`select 1 / 0`.execute(tx)]);
    });
    await expect(done).rejects.toThrow();
    expect(called).toEqual([]);
  });

  test('is not called where what was refused is remembered', async () => {
    const done = database.withCompany(company, async (tx) => {
      tx.afterCommit(() => called.push('done'));
      throw new RememberedError('codeWrong');
    });
    await expect(done).rejects.toMatchObject({ key: 'codeWrong' });
    expect(called).toEqual([]);
  });

  test.each([
    ['40001', 'PostgreSQL gave up'],
    ['CW005', 'was refused for queued rows'],
  ])('is not called of an attempt that %s: %s', async (state) => {
    const busy = newId();
    database.whenQueued(async () => undefined);
    let attempt = 0;
    await database.withCompany(busy, async (tx) => {
      attempt += 1;
      const number = attempt;
      tx.afterCommit(() => called.push(`attempt ${number}`));
      if (attempt < 3)
        await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${state}', detail = '${busy}'; end $$`)}`.execute(
          tx,
        );
    });
    expect(called).toEqual(['attempt 3']);
  });
});
