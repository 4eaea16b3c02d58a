import type pg from 'pg';
import { Counter } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import { startLoop } from './loop.ts';

/**
 * A worker that is killed leaves its jobs and their queues locked, and the job queue would give them back after four
 * hours. So each worker holds an advisory lock in its own name, which ends with its session, and each looks for jobs
 * whose worker holds none.
 */

export interface Watch {
  stop(): Promise<void>;
}

const usualIntervalMs = 2000;

const unlocked = new Counter({
  name: 'causeway_jobs_abandoned_total',
  help: 'Workers found dead with jobs in their hands, which were given back',
  registers: [registry],
});

/**
 * Says that `poolId` (as jobs are locked by it) lives, and gives back the jobs of those that do not. A worker must be
 * found dead twice running: one whose connection broke takes its lock again before the second look.
 */
export function watchAbandonedJobs(
  database: Database,
  poolId: string,
  log: Log,
  intervalMs: number = usualIntervalMs,
): Watch {
  let suspects = new Set<string>();
  let session: pg.PoolClient | null = null;

  async function look(): Promise<void> {
    session ??= await openSession(database.pool, poolId);
    const dead = await lookForDead(session, poolId);
    const certain = dead.filter((id) => suspects.has(id));
    if (certain.length > 0) {
      await session.query('select graphile_worker.force_unlock_workers($1::text[])', [certain]);
      unlocked.inc(certain.length);
      log.warn({ workers: certain }, 'a worker has died; its jobs are given back');
    }
    suspects = new Set(dead);
  }

  function endSession(): void {
    // The session ends with the connection, and the lock with the session.
    session?.release(true);
    session = null;
  }

  const loop = startLoop({
    name: 'platform.abandonedJobs',
    everyMs: intervalMs,
    // Sooner than other loops: until the lock is taken again, others hold this worker for dead.
    retry: { firstMs: intervalMs / 10, mostMs: intervalMs / 10 },
    log,
    step: () =>
      look().catch((error: unknown) => {
        endSession();
        throw error;
      }),
  });
  return {
    async stop() {
      await loop.stop();
      endSession();
    },
  };
}

async function openSession(pool: pg.Pool, poolId: string): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [lockName(poolId)]);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Who holds jobs or queues and does not live: the lock in its name is free to be taken, for as long as this statement. */
async function lookForDead(session: pg.PoolClient, poolId: string): Promise<string[]> {
  const { rows } = await session.query<{ id: string; dead: boolean }>(
    `select id, pg_try_advisory_xact_lock(hashtextextended($2 || id, 0)) as dead
     from (
       select locked_by as id from graphile_worker._private_jobs where locked_by is not null
       union
       select locked_by from graphile_worker._private_job_queues where locked_by is not null
     ) as holders
     where id <> $1`,
    [poolId, lockName('')],
  );
  return rows.filter((row) => row.dead).map((row) => row.id);
}

function lockName(poolId: string): string {
  return `jobs/${poolId}`;
}
