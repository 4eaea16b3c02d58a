import type { CronItem } from 'graphile-worker';
import type { Database } from '../database/database.ts';
import type { Log } from '../process/log.ts';

export interface CronContext {
  database: Database;
  log: Log;
  /** Aborts when the worker stops: a long run ends early, and the next goes on. */
  signal: AbortSignal;
}

/**
 * Something done by the clock, once for all workers: Graphile Worker queues it at the minutes of `schedule`, and one worker runs it. A
 * run that takes longer than the interval is followed by one more, not by all that were missed.
 */
export interface CronJob {
  name: string;
  /** As in crontab(5), in UTC: `17 * * * *`. */
  schedule: string;
  /** A run that was due so long ago, while no worker ran, is made up for; in milliseconds. Default: none is. */
  backfillMs?: number;
  run(context: CronContext): Promise<void>;
}

/** The key makes a run that waits, or has failed, give way to the next; the queue keeps two from running at once. */
export function cronItemOf({ name, schedule, backfillMs = 0 }: Omit<CronJob, 'run'>): CronItem {
  return {
    task: name,
    identifier: name,
    match: schedule,
    options: { jobKey: name, queueName: name, backfillPeriod: backfillMs },
  };
}
