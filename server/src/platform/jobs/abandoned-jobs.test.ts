import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createLog } from '../process/log.ts';
import { watchAbandonedJobs } from './abandoned-jobs.ts';
import { startJobs } from './jobs.ts';

const log = createLog('test', 'silent');
const intervalMs = 20;
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** Queues a job and leaves it, and its queue, in the hands of a worker. */
async function takenBy(poolId: string): Promise<void> {
  const { pool } = db.worker;
  await pool.query('select graphile_worker.add_job($1, $2, queue_name => $1)', [
    poolId,
    JSON.stringify({ companyId: '', payload: { poolId } }),
  ]);
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = $1 where payload->'payload'->>'poolId' = $1`,
    [poolId],
  );
  await pool.query(
    'update graphile_worker._private_job_queues set locked_at = now(), locked_by = $1 where queue_name = $1',
    [poolId],
  );
}

test('what a killed worker held is done by another, what a living one holds is left alone', async () => {
  await takenBy('pool-dead');
  await takenBy('pool-living');
  const living = watchAbandonedJobs(db.worker, 'pool-living', log, intervalMs);
  const done: unknown[] = [];
  const run = async (_context: unknown, { poolId }: Record<string, unknown>): Promise<void> => {
    done.push(poolId);
  };
  const definitions = ['pool-dead', 'pool-living'].map((name) => ({ name, run }));
  const jobs = await startJobs(
    { database: db.worker, log, concurrency: 2, abandonedIntervalMs: intervalMs },
    definitions,
  );
  await vi.waitFor(() => expect(done).toEqual(['pool-dead']), { timeout: 20_000, interval: 10 });
  await vi.waitFor(
    async () => {
      const { rows } = await db.worker.pool.query('select locked_by from graphile_worker._private_jobs');
      expect(rows).toEqual([{ locked_by: 'pool-living' }]);
    },
    { timeout: 20_000 },
  );

  await living.stop();
  await vi.waitFor(() => expect(done).toEqual(['pool-dead', 'pool-living']), { timeout: 20_000, interval: 10 });
  await jobs.stop();
});
