import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { CronJob } from './cron.ts';
import { startJobs } from './jobs.ts';

const log = pino({ level: 'silent' });
const minuteMs = 60_000;
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** As though the job had run last so long ago: what was due since is made up for at the start. */
async function ranLast(name: string, agoMs: number): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    sql`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values (${name}, now() - interval '1 day', date_trunc('minute', now()) - make_interval(secs => ${agoMs / 1000}))
      on conflict (identifier) do update set last_execution = excluded.last_execution`.execute(tx),
  );
}

test('a job that is due runs once, however many workers there are', async () => {
  const runs: string[] = [];
  const workers = await Promise.all(
    ['one', 'two', 'three'].map(async (worker) => {
      const job: CronJob = {
        name: 'test.due',
        schedule: '* * * * *',
        backfillMs: 2 * minuteMs,
        run: async () => void runs.push(worker),
      };
      await ranLast('test.due', 2 * minuteMs);
      return { worker, job };
    }),
  );
  const started = await Promise.all(
    workers.map(({ job }) => startJobs({ database: db.worker, log, concurrency: 2 }, [], [job])),
  );
  try {
    // A job's row is deleted after its run has ended.
    await vi.waitFor(
      async () => {
        expect(runs.length).toBeGreaterThan(0);
        const { rows } = await db.worker.withoutCompany((tx) =>
          sql<{ left: number }>`select count(*) as left from graphile_worker._private_jobs`.execute(tx),
        );
        expect(rows[0]?.left).toBe(0);
      },
      { timeout: 20_000 },
    );
    // The minute under way may have ended meanwhile; three workers that each queued the job would have run it three times a minute.
    expect(runs.length).toBeLessThan(3);
  } finally {
    await Promise.all(started.map((jobs) => jobs.stop()));
  }
});

test('a run that failed gives way to the next, so that nothing piles up', async () => {
  const failing: CronJob = {
    name: 'test.failing',
    schedule: '* * * * *',
    backfillMs: 10 * minuteMs,
    run: async () => {
      throw new Error('the job failed');
    },
  };
  await ranLast('test.failing', 10 * minuteMs);
  const jobs = await startJobs({ database: db.worker, log, concurrency: 2 }, [], [failing]);
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await db.worker.withoutCompany((tx) =>
          sql<{ key: string; error: string | null }>`
            select key, last_error as error from graphile_worker._private_jobs where key = 'test.failing'`.execute(tx),
        );
        expect(rows).toEqual([{ key: 'test.failing', error: expect.stringContaining('the job failed') }]);
      },
      { timeout: 20_000 },
    );
  } finally {
    await jobs.stop();
  }
});
