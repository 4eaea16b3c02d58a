import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { isProof } from '../../testing/proof.ts';
import { openTcpSwitch, type TcpSwitch } from '../../testing/tcp-switch.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { createLog } from '../process/log.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { startRelay } from './relay.ts';

const log = createLog('test', 'silent');
const patience = { timeout: 25_000, interval: 20 };
let db: TestDatabase;
let proxy: TcpSwitch;
let database: Database;
let unhandled: unknown[];
let started: Jobs[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  const url = new URL(db.urlFor('causeway_worker'));
  proxy = await openTcpSwitch(Number(url.port));
  url.port = String(proxy.port);
  url.hostname = '127.0.0.1';
  database = openDatabase(url.href, { poolSize: 12, applicationName: 'failover' });
  unhandled = [];
  process.on('unhandledRejection', onUnhandled);
});
afterEach(async () => {
  proxy.mend();
  await Promise.all(started.map((jobs) => jobs.stop()));
  started = [];
  await asSuperuser('delete from graphile_worker._private_jobs');
  await asSuperuser(`alter database ${databaseName()} reset default_transaction_read_only`);
  await database.close();
  await proxy.close();
  // A rejection is reported after the promises of its turn.
  await new Promise((resume) => setImmediate(resume));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

const databaseName = (): string => new URL(db.superuserUrl).pathname.slice(1);

async function asSuperuser(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: db.superuserUrl, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Queues `count` jobs of one name, numbered. */
async function queue(name: string, count: number, queueName: string | null = null): Promise<void> {
  await db.worker.pool.query(
    `select graphile_worker.add_job($1, json_build_object('companyId', '', 'payload', json_build_object('number', n)),
       queue_name => $3) from generate_series(1, $2::int) as n`,
    [name, count, queueName],
  );
}

async function left(): Promise<number> {
  const { rows } = await asSuperuser('select count(*)::int as count from graphile_worker._private_jobs');
  return rows[0].count;
}

/** All jobs are done; what failed and waits for its next attempt is due now. */
async function drained(): Promise<void> {
  await vi.waitFor(async () => {
    await asSuperuser('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
    expect(await left()).toBe(0);
  }, patience);
}

async function start(name: string, run: (number: number) => Promise<void>): Promise<Jobs> {
  const jobs = await startJobs({ database, log, concurrency: 4, abandonedIntervalMs: 50 }, [
    { name, run: (_context, { number }) => run(number as number) },
  ]);
  started.push(jobs);
  return jobs;
}

/** The outcome that any repetition leaves as it is: a row for each job. */
async function makeEffects(name: string): Promise<void> {
  await asSuperuser(`drop table if exists public.${name}`);
  await asSuperuser(`create table public.${name} (number int primary key, runs int not null default 1)`);
  await asSuperuser(`grant all on public.${name} to causeway_worker`);
}

const effect = (name: string) => async (number: number) => {
  await database.withoutCompany(async (tx) => {
    await sql`insert into ${sql.table(`public.${name}`)} (number) values (${number})
      on conflict (number) do update set runs = ${sql.table(name)}.runs + 1`.execute(tx);
  });
};

async function numbers(name: string): Promise<number[]> {
  const { rows } = await asSuperuser(`select number from public.${name} order by number`);
  return rows.map((row) => row.number);
}

const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  ['before the database hears of it', 'cutOn'],
  ['before the answer comes', 'cutAfter'],
] as const)('a job whose end is reported when the connection breaks, %s, is run once', async (_when, moment) => {
  const name = `end_${moment.toLowerCase()}`;
  const runs: number[] = [];
  await queue(name, 3, name);
  const sprung = proxy[moment]('delete from "graphile_worker"._private_jobs');
  await start(name, async (number) => void runs.push(number));
  await sprung;
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs).toEqual([1, 2, 3]);
});

test('a job that was taken in an answer that never came is given back at once', async () => {
  const runs: number[] = [];
  await queue('taken', 3);
  const sprung = proxy.cutAfter('skip locked');
  await start('taken', async (number) => void runs.push(number));
  await sprung;
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs.sort()).toEqual([1, 2, 3]);
});

test('a job whose failure is reported when the connection breaks is tried again', async () => {
  const runs: number[] = [];
  await queue('failing', 1);
  const sprung = proxy.cutOn('last_error');
  await start('failing', async (number) => {
    runs.push(number);
    if (runs.length === 1) throw new Error('not yet');
  });
  await sprung;
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs).toEqual([1, 1]);
});

test('a connection that breaks while the pool begins to listen costs nothing', async () => {
  const runs: number[] = [];
  const sprung = proxy.cutOn('LISTEN "jobs:insert"');
  await start('listening', async (number) => void runs.push(number));
  await sprung;
  await queue('listening', 5);
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs.sort()).toEqual(all(5));
});

test('a connection that breaks while the pool begins to listen and ends at the same time', async () => {
  const held = proxy.holdOn('LISTEN "jobs:insert"');
  const jobs = await start('ending', async () => undefined);
  await held;
  const stopped = jobs.stop();
  proxy.cut();
  // What nothing handles is looked for after each test.
  await stopped;
});

test('a connection that breaks while the pool reads its job names does not stop it for good', async () => {
  const runs: number[] = [];
  await queue('named', 5);
  const sprung = proxy.cutOn('_private_tasks as tasks (identifier)');
  await start('named', async (number) => void runs.push(number));
  await sprung;
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs.sort()).toEqual(all(5));
});

test('cut at any moment, again and again, every job has its effect and the workers go on', async () => {
  await makeEffects('storm');
  const [count, cuts] = isProof ? [400, 12] : [150, 5];
  await queue('storm', count);
  await start('storm', effect('storm'));
  for (let round = 0; round < cuts; round++) {
    const before = await left();
    await vi.waitFor(async () => expect(await left()).toBeLessThan(Math.max(before - 5, 1)), patience);
    proxy.cut();
  }
  await drained();
  expect(await numbers('storm')).toEqual(all(count));
});

test('a database that is away for seconds and comes back read-only before it is writable', async () => {
  await makeEffects('away');
  await queue('away', 60);
  await start('away', async (number) => {
    await effect('away')(number);
    if (number === 20) proxy.down();
  });
  await vi.waitFor(() => expect(proxy.connections).toBe(0), patience);
  await asSuperuser(`alter database ${databaseName()} set default_transaction_read_only = on`);
  proxy.mend();
  // The pool asks for jobs every half second, and is refused.
  await vi.waitFor(() => expect(proxy.connections).toBeGreaterThan(0), patience);
  await expect(database.pool.query('delete from outbox')).rejects.toMatchObject({ code: '25006' });
  await asSuperuser(`alter database ${databaseName()} reset default_transaction_read_only`);
  await drained();
  expect(await numbers('away')).toEqual(all(60));
});

test('stopping while the database is away ends', async () => {
  await queue('stopped', 1);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isRunning = false;
  const jobs = await start('stopped', async () => {
    isRunning = true;
    await held;
  });
  await vi.waitFor(() => expect(isRunning).toBe(true), patience);
  proxy.down();
  const stopped = jobs.stop();
  release();
  await stopped;
  // Another worker takes the remaining jobs.
  const runs: number[] = [];
  const other = await startJobs({ database: db.worker, log, concurrency: 1, abandonedIntervalMs: 20 }, [
    { name: 'stopped', run: async (_context, { number }) => void runs.push(number as number) },
  ]);
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect(runs).toEqual([1]);
  await other.stop();
});

test('an event of the outbox becomes one job, wherever the relay loses the database', async () => {
  const runs: string[] = [];
  const definition = {
    name: 'relayed',
    on: ['happened'],
    run: async (_context: unknown, { number }: Record<string, unknown>) => void runs.push(String(number)),
  };
  started.push(await startJobs({ database, log, concurrency: 4, abandonedIntervalMs: 50 }, [definition]));
  const moments = [
    ['cutOn', 'delete from outbox'],
    ['cutAfter', 'delete from outbox'],
    ['cutOn', 'graphile_worker.add_jobs'],
    ['cutAfter', 'graphile_worker.add_jobs'],
    ['cutOn', 'commit'],
    ['cutAfter', 'commit'],
  ] as const;
  for (const [index, [moment, statement]] of moments.entries()) {
    await asSuperuser(`insert into causeway.outbox (company_id, id, name, payload)
      values (gen_random_uuid(), uuidv7(), 'happened', '{"number": ${index}}')`);
    // A statement's text is sent once a connection.
    proxy.cut();
    await vi.waitFor(() => expect(database.pool.idleCount).toBe(0), patience);
    const sprung = proxy[moment](statement);
    const relay = startRelay(database, [definition], log);
    await sprung;
    await vi.waitFor(() => expect(runs).toContain(String(index)), patience);
    await relay.stop();
  }
  await drained();
  expect(runs.sort()).toEqual(moments.map((_, index) => String(index)));
});
