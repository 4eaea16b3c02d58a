import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Histogram } from 'prom-client';
import type { Database } from './database.ts';
import { invariant } from './domain-error.ts';
import { openJobPool } from './job-pool.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

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

/** Between two attempts to begin anew. */
const againAfterMs = 1000;

const poolsEnded = new Counter({
  name: 'causeway_job_pool_ends_total',
  help: 'Pools of jobs that ended because the database did not answer, and were opened anew',
  registers: [registry],
});

/**
 * Runs the jobs that the relay queued, until stopped: running jobs are waited for. A pool that loses the database ends;
 * what it held is given back, and another pool is opened as soon as the database answers. Rejects when the first pool
 * can't be opened.
 */
export async function startJobs(options: JobsOptions, definitions: readonly JobDefinition[]): Promise<Jobs> {
  const { database, log } = options;
  const tasks: Record<string, (payload: unknown) => Promise<void>> = {};
  for (const definition of definitions) {
    invariant(!(definition.name in tasks), `job ${definition.name} is defined once`);
    tasks[definition.name] = (payload) => runJob(definition, payload, database, log);
  }
  const stopping = new AbortController();
  let pool = await openJobPool(options, tasks);

  async function begunAnew(): Promise<void> {
    await pool.settle();
    pool = await openJobPool(options, tasks);
  }

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pool.ended;
      if (stopping.signal.aborted) return;
      poolsEnded.inc();
      log.warn('the job pool has ended; its jobs are given back and another is opened');
      await untilDone(begunAnew, stopping.signal, log);
    }
  }

  const supervising = supervise();
  return {
    async stop() {
      stopping.abort();
      await pool.stop();
      await supervising;
      // A pool that was opened in the meantime.
      await pool.stop();
    },
  };
}

async function untilDone(work: () => Promise<void>, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      log.warn({ err: error }, 'jobs cannot be run; trying again');
      await delay(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function runJob(definition: JobDefinition, payload: unknown, database: Database, log: Log): Promise<void> {
  const { companyId, payload: own } = payload as { companyId: string; payload: Record<string, unknown> };
  const jobLog = log.child({ job: definition.name, companyId });
  const end = jobDuration.startTimer({ job: definition.name });
  try {
    await definition.run({ companyId, database, log: jobLog }, own);
    end({ outcome: 'done' });
  } catch (error) {
    end({ outcome: 'failed' });
    jobFailures.inc({ job: definition.name });
    jobLog.warn({ err: error }, 'job failed and will be tried again');
    throw error;
  }
}
