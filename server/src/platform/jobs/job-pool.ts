import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task, WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database/database.ts';
import { invariant } from '../domain-error.ts';
import type { Log } from '../process/log.ts';
import { watchAbandonedJobs } from './abandoned-jobs.ts';
import { type CronJob, cronItemOf } from './cron.ts';
import { JobTrack } from './job-track.ts';

import { startLoop } from './loop.ts';

/**
 * One pool of Graphile Worker: it takes jobs until it is stopped, or until it can't get a job or report a job's end, as
 * when the database fails over. It then ends; `settle` gives its jobs back, and the caller opens another.
 */
export interface JobPool {
  /** Resolves when the pool takes no more jobs, for whatever reason, and those that ran have ended. */
  readonly ended: Promise<void>;
  /** Takes no more jobs, waits for those that run, and settles. */
  stop(): Promise<void>;
  /**
   * After the end: removes the jobs that were done but could not be reported, and gives back the others that the pool
   * still held. Rejects while the database is away; repeating it is harmless.
   */
  settle(): Promise<void>;
}

export interface JobPoolOptions {
  database: Database;
  log: Log;
  concurrency: number;
  abandonedIntervalMs?: number | undefined;
}

const limits = { patienceMs: 30_000, silenceMs: 30_000 };
const stuckLookMs = 250;
/** How long the pool has, after its last job, to report that job. */
const reportingMs = 2000;

/** `tasks` by job name; a task that resolves is a job done. Any number of pools may schedule `cronJobs`: each is queued once. */
export async function openJobPool(
  options: JobPoolOptions,
  tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>,
  cronJobs: readonly Omit<CronJob, 'run'>[] = [],
): Promise<JobPool> {
  const { database, log } = options;
  const track = new JobTrack(limits);
  const taskList: Record<string, Task> = {};
  for (const [name, task] of Object.entries(tasks)) {
    taskList[name] = (payload, { job }) => track.run(job.id, () => task(payload));
  }
  const events: WorkerEvents = new EventEmitter();
  let poolId: string | undefined;
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  // Emitted when the pool begins to end. Its own promise can't be relied on: after two failed batches it never resolves.
  events.once('pool:gracefulShutdown', () => track.close());
  events.on('worker:getJob:start', () => track.asked());
  events.on('worker:getJob:error', () => track.failed());
  // Here and not above, because features that define jobs are in every process and only the worker runs them.
  const [{ parseCronItems, run }, { jobLogger }] = await Promise.all([
    import('graphile-worker'),
    import('./job-log.ts'),
  ]);
  const runner = await run({
    pgPool: releasedOnce(database.pool),
    concurrency: options.concurrency,
    pollInterval: 1000,
    noHandleSignals: true,
    taskList,
    parsedCronItems: parseCronItems(cronJobs.map(cronItemOf)),
    events,
    logger: jobLogger(log),
    // Reported one by one, a job's end would be a promise that Graphile Worker doesn't await: its rejection ends the
    // process. In batches, a failure ends the pool.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  invariant(poolId !== undefined, 'the pool has been made when the runner is there');
  const id: string = poolId;
  const watch = watchAbandonedJobs(database, id, log, options.abandonedIntervalMs);
  const stuckLook = startLoop({
    name: 'platform.stuckJobs',
    everyMs: stuckLookMs,
    keepsProcess: false,
    log,
    step() {
      if (!track.isStuck) return;
      log.warn('the job pool could not get a job');
      void runner.stop().catch(() => track.close());
    },
  });

  async function settle(): Promise<void> {
    await stuckLook.stop();
    await watch.stop();
    await database.withoutCompany(async (tx) => {
      await sql`select graphile_worker.force_unlock_workers(array[${id}])`.execute(tx);
      await sql`select graphile_worker.complete_jobs(${[...track.done]}::bigint[])`.execute(tx);
    });
  }

  return {
    ended: track.ended,
    async stop() {
      // Rejects when the pool is ending already.
      const stopped = runner.stop().catch(() => undefined);
      await Promise.race([stopped, track.ended.then(() => delay(reportingMs))]);
      // What the pool could not report is another worker's to settle if the database is away for good.
      await settle().catch((error: unknown) => log.warn({ err: error }, 'jobs are given back by the next worker'));
    },
    settle,
  };
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * The pool with a `connect` whose `done` counts once. Graphile Worker releases its listening connection twice when that
 * breaks while the job pool ends, and the pool's complaint would be a rejection that nothing handles.
 */
export function releasedOnce(pool: pg.Pool): pg.Pool {
  const connect = (callback?: Connected) => {
    if (callback === undefined) return pool.connect();
    return pool.connect((error, client, done) => {
      // A pool that has ended calls back without a connection and without `done`.
      const release: typeof done | undefined = done;
      let isReleased = false;
      callback(error, client, (reason) => {
        if (!isReleased) release?.(reason as Error | undefined);
        isReleased = true;
      });
    });
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
