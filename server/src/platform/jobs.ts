import { EventEmitter } from 'node:events';
import type { Task, WorkerEvents } from 'graphile-worker';
import { Counter, Histogram } from 'prom-client';
import { watchAbandonedJobs } from './abandoned-jobs.ts';
import type { Database } from './database.ts';
import { invariant } from './domain-error.ts';
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
  /** Called when the queue gives up, as it may when the database is away: nothing is run any more. */
  onEnd?(): void;
  /** How often it is looked for jobs of workers that were killed. */
  abandonedIntervalMs?: number;
}

/** Runs the jobs that the relay queued, until stopped: running jobs are waited for. */
export async function startJobs(options: JobsOptions, definitions: readonly JobDefinition[]): Promise<Jobs> {
  const { database, log } = options;
  const taskList: Record<string, Task> = {};
  for (const definition of definitions) {
    invariant(!(definition.name in taskList), `job ${definition.name} is defined once`);
    taskList[definition.name] = (payload) => runJob(definition, payload, database, log);
  }
  const events: WorkerEvents = new EventEmitter();
  let poolId: string | undefined;
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  // Here and not above, because features that define jobs are in every process and only the worker runs them.
  const [{ run }, { jobLogger }] = await Promise.all([import('graphile-worker'), import('./job-log.ts')]);
  const runner = await run({
    pgPool: database.pool,
    concurrency: options.concurrency,
    pollInterval: 500,
    noHandleSignals: true,
    taskList,
    events,
    logger: jobLogger(log),
  });
  invariant(poolId !== undefined, 'the pool has been made when the runner is there');
  const watch = watchAbandonedJobs(database, poolId, log, options.abandonedIntervalMs);
  let isStopping = false;
  const end = (): void => {
    if (!isStopping) options.onEnd?.();
  };
  runner.promise.then(end, end);
  return {
    async stop() {
      isStopping = true;
      await runner.stop();
      // Last, so that no other worker takes the jobs that are being finished.
      await watch.stop();
    },
  };
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
