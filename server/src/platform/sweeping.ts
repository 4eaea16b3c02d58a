import { setTimeout as delay } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Database } from './database.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';
import { sweepEvents } from './throttle.ts';

/** What has served its time is removed in batches, so that no statement holds many locks. */
export const sweepBatch = 500;

export interface Sweep {
  /** What is removed, for the log and the metrics: `identity.session`. */
  name: string;
  /** Removes one batch and answers how many rows that were; fewer than `sweepBatch` means that nothing is left. */
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

/** Sweeps now and once an hour until stopped. Several workers may: what one has removed the others do not find. */
export function startSweeping(database: Database, sweeps: readonly Sweep[], log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sweepOnce(database, sweeps, log, stopping.signal);
      await delay(hourMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
