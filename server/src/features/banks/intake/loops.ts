import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop, stopAll } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { BankGateway, OrderFolder, TransferDesk } from '../gateway.ts';
import { fetchMessages } from './fetching.ts';
import { readMessages } from './reading.ts';

/** What was stored by hand, or by another worker, is noticed within this. */
const readEveryMs = 2000;

export interface IntakeDependencies {
  database: Database;
  log: Log;
  /** Posts what was read (features to the right). */
  settle(signal: AbortSignal): Promise<number>;
  /** What we have for banks: whether something waits for one, and how it is delivered (features to the right). */
  orders?: {
    isDue(bank: string): Promise<boolean>;
    deliver(bank: string, orders: OrderFolder | TransferDesk): Promise<unknown>;
  };
}

export interface VisitedBank {
  gateway: BankGateway;
  pollIntervalMs: number;
  /** Whether the bank has sent an event since: then it is visited at once. */
  hasNews?(): Promise<boolean>;
}

/** A bank that sends events is looked after so often. */
const newsEveryMs = 1000;

/**
 * Fetches from each bank, one worker at a time, and reads and posts what is stored, in every worker. What one loop stored the other
 * reads at once.
 */
export function startBankIntake(
  { database, log, settle, orders }: IntakeDependencies,
  banks: readonly VisitedBank[],
): { stop(): Promise<void> } {
  const reading = startLoop({
    name: 'banks.read',
    everyMs: readEveryMs,
    log,
    async step(signal) {
      await readMessages(database, signal);
      await settle(signal);
      if (!orders) return;
      for (const { bank, loop } of fetching) if (await orders.isDue(bank)) loop.wake();
    },
  });
  const fetching = banks.map(({ gateway, pollIntervalMs, hasNews }): { bank: string; loop: Loop } => {
    let visitedAt = Number.NEGATIVE_INFINITY;
    const loop = startLoop({
      name: `banks.fetch:${gateway.bank}`,
      everyMs: hasNews ? Math.min(pollIntervalMs, newsEveryMs) : pollIntervalMs,
      log,
      alone: { database, lock: `banks.fetch/${gateway.bank}` },
      async step() {
        const isDue = !hasNews || performance.now() - visitedAt >= pollIntervalMs;
        if (!isDue && !(await hasNews()) && !(await orders?.isDue(gateway.bank))) return;
        visitedAt = performance.now();
        const deps = { database, log, ...(orders ? { deliver: orders.deliver } : {}) };
        if ((await fetchMessages(deps, gateway)) > 0) reading.wake();
      },
    });
    return { bank: gateway.bank, loop };
  });
  return { stop: () => stopAll([reading, ...fetching.map(({ loop }) => loop)]) };
}
