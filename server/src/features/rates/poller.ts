import type { Database } from '../../platform/database/database.ts';
import { type Loop, startLoop } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/process/log.ts';
import type { PriceSource } from './adapters/coingecko.ts';
import { keepPrices } from './store.ts';

const pollIntervalMs = 30_000;

/**
 * Keeps the prices up to date until stopped, once at the start and then every half minute. A source that fails is asked
 * again at the next turn; meanwhile the prices grow stale and say so.
 */
export function startRatePoller(options: {
  database: Database;
  source: PriceSource;
  log: Log;
  intervalMs?: number;
}): Loop {
  const { database, source, log, intervalMs: everyMs = pollIntervalMs } = options;
  return startLoop({
    name: 'rates.poll',
    everyMs,
    // The source counts requests: a failed one is not repeated sooner.
    retry: { firstMs: everyMs, mostMs: everyMs },
    keepsProcess: false,
    log,
    async step() {
      const prices = await source.fetchPrices();
      if (prices.length > 0) await database.withoutCompany((tx) => keepPrices(tx, prices));
      else log.warn('the price source knows no price');
    },
  });
}
