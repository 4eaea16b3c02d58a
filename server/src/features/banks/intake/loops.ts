import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop, stopAll } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { BankGateway } from '../gateway.ts';
import { fetchMessages } from './fetching.ts';
import { readMessages } from './reading.ts';

/** What was stored by hand, or by another worker, is noticed within this. */
const readEveryMs = 2000;

export interface IntakeDependencies {
  database: Database;
  log: Log;
  /** Posts what was read (features to the right). */
  settle(signal: AbortSignal): Promise<number>;
}

/**
 * Fetches from each bank, one worker at a time, and reads and posts what is stored, in every worker. What one loop stored the other
 * reads at once.
 */
export function startBankIntake(
  { database, log, settle }: IntakeDependencies,
  banks: readonly { gateway: BankGateway; pollIntervalMs: number }[],
): { stop(): Promise<void> } {
  const reading = startLoop({
    name: 'banks.read',
    everyMs: readEveryMs,
    log,
    async step(signal) {
      await readMessages(database, signal);
      await settle(signal);
    },
  });
  const fetching = banks.map(
    ({ gateway, pollIntervalMs }): Loop =>
      startLoop({
        name: `banks.fetch:${gateway.bank}`,
        everyMs: pollIntervalMs,
        log,
        alone: { database, lock: `banks.fetch/${gateway.bank}` },
        async step() {
          if ((await fetchMessages({ database, log }, gateway)) > 0) reading.wake();
        },
      }),
  );
  return { stop: () => stopAll([reading, ...fetching]) };
}
