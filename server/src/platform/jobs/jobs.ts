import { Counter, Histogram } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import { invariant } from '../domain-error.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import type { CronJob } from './cron.ts';
import { openJobPool } from './job-pool.ts';
import { startLoop } from './loop.ts';

/** What a job is given: the company it works for and the way to its data. */
export interface JobContext {
  companyId: string;
  database: Database;
  log: Log;
}

/**
 * Something done later: at least once, so doing it twice must be harmless. `on` names the events that start it; the
 * payload is the event's.
 */
export interface JobDefinition {
  name: string;
  on?: readonly string[];
  /**
   * Of these companies, those that it has something to do for, asked by the relay in the transaction that would queue it: the others get no job. Absent: all
   * of them. It is asked with the worker's rights and outside of any company, so the tables that it reads need a policy for the worker.
   */
  concerns?(tx: PlatformTx, companyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Jobs of one queue run one after another: the queue's name from the payload, or none. */
  queue?(companyId: string, payload: Record<string, unknown>): string;
  /** How often it is tried (default 25, with exponential back-off, about three days). */
  maxAttempts?: number;
  run(context: JobContext, payload: Record<string, unknown>): Promise<void>;
}

const jobDuration = new Histogram({
  name: 'causeway_job_seconds',
  help: 'Duration of jobs by name and outcome',
  labelNames: ['job', 'outcome'],
  registers: [registry],
});
const jobFailures = new Counter({
  name: 'causeway_job_failures_total',
  help: 'Failed runs of jobs by name',
  labelNames: ['job'],
  registers: [registry],
});

export interface Jobs {
  stop(): Promise<void>;
}

export interface JobsOptions {
  database: Database;
  log: Log;
  concurrency: number;
  /** How often it is looked for jobs of workers that were killed. */
  abandonedIntervalMs?: number;
}

/** Between two attempts to open another pool. */
const retry = { firstMs: 1000, mostMs: 1000 };

const poolsEnded = new Counter({
  name: 'causeway_job_pool_ends_total',
  help: 'Pools of jobs that ended because the database did not answer, and were opened anew',
  registers: [registry],
});

/**
 * Runs the jobs that the relay queued, until stopped: running jobs are waited for. A pool that loses the database ends;
 * what it held is given back, and another pool is opened as soon as the database is back. Rejects when the first pool
 * can't be opened.
 */
export async function startJobs(
  options: JobsOptions,
  definitions: readonly JobDefinition[],
  cronJobs: readonly CronJob[] = [],
): Promise<Jobs> {
  const { database, log } = options;
  const stopping = new AbortController();
  const tasks: Record<string, (payload: unknown) => Promise<void>> = {};
  for (const { name, run } of definitions) {
    invariant(!(name in tasks), `job ${name} is defined once`);
    tasks[name] = (payload) => {
      const { companyId, payload: own } = payload as { companyId: string; payload: Record<string, unknown> };
      const jobLog = log.child({ job: name, companyId });
      return observed(name, jobLog, () => run({ companyId, database, log: jobLog }, own));
    };
  }
  for (const { name, run } of cronJobs) {
    invariant(!(name in tasks), `job ${name} is defined once`);
    const jobLog = log.child({ job: name });
    tasks[name] = () => observed(name, jobLog, () => run({ database, log: jobLog, signal: stopping.signal }));
  }
  let pool = await openJobPool(options, tasks, cronJobs);
  let lastEnded: typeof pool | null = null;

  const supervising = startLoop({
    name: 'platform.jobs',
    everyMs: 0,
    retry,
    log,
    async step(signal) {
      await pool.ended;
      if (signal.aborted) return;
      if (lastEnded !== pool) {
        poolsEnded.inc();
        log.warn('the job pool has ended; its jobs are given back and another is opened');
      }
      lastEnded = pool;
      await pool.settle();
      pool = await openJobPool(options, tasks, cronJobs);
    },
  });
  return {
    async stop() {
      stopping.abort();
      const supervised = supervising.stop();
      await pool.stop();
      await supervised;
      // A pool that was opened in the meantime.
      await pool.stop();
    },
  };
}

/** Runs a job, measures it and logs its failure. */
async function observed(job: string, log: Log, run: () => Promise<void>): Promise<void> {
  const end = jobDuration.startTimer({ job });
  try {
    await run();
    end({ outcome: 'done' });
  } catch (error) {
    end({ outcome: 'failed' });
    jobFailures.inc({ job });
    log.warn({ err: error }, 'job failed and will be tried again');
    throw error;
  }
}
