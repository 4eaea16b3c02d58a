import { Counter } from 'prom-client';
import type { Database } from '../database/database.ts';
import { sweepEvents } from '../http/throttle.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import type { CronJob } from './cron.ts';

/** What has served its time is removed in batches, so that no statement holds many locks. */
export const sweepBatch = 500;

export interface Sweep {
  /** What is removed, for the log and the metrics: `identity.session`. */
  name: string;
  /** Removes one batch and returns how many rows; fewer than `sweepBatch` means that none remain. */
  run(database: Database): Promise<number>;
}

const hourMs = 3_600_000;

const sweptRows = new Counter({
  name: 'causeway_swept_total',
  help: 'Rows removed because they had served their time',
  labelNames: ['what'],
  registers: [registry],
});

/** Counters against guessing whose window is over. */
export const throttleSweep: Sweep = {
  name: 'platform.throttle',
  run: (database) => database.withoutCompany((tx) => sweepEvents(tx, sweepBatch)),
};

/** Goes through all sweeps once, each to its end; one that fails does not keep the others, and is tried at the next turn. */
export async function sweepOnce(
  database: Database,
  sweeps: readonly Sweep[],
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  for (const { name, run } of sweeps) {
    try {
      let removed = sweepBatch;
      while (removed >= sweepBatch && !signal?.aborted) {
        removed = await run(database);
        sweptRows.inc({ what: name }, removed);
      }
    } catch (error) {
      log.warn({ err: error, what: name }, 'not everything could be swept; trying again later');
    }
  }
}

/** Sweeps once an hour; an hour that passed while no worker ran is made up for. */
export function sweepJob(sweeps: readonly Sweep[]): CronJob {
  return {
    name: 'platform.sweep',
    schedule: '17 * * * *',
    backfillMs: hourMs,
    run: ({ database, log, signal }) => sweepOnce(database, sweeps, log, signal),
  };
}
