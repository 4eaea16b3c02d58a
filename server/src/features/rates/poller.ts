import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { PriceSource } from './adapters/coingecko.ts';
import { keepPrices } from './store.ts';

const pollIntervalMs = 30_000;

/**
 * Keeps the prices up to date until stopped, once at the start and then every half minute. A source that fails is asked
 * again at the next turn; meanwhile the prices grow stale and say so.
 */
export function startRatePoller(options: { database: Database; source: PriceSource; log: Log; intervalMs?: number }): {
  stop(): Promise<void>;
} {
  const { database, source, log, intervalMs = pollIntervalMs } = options;
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const prices = await source.fetchPrices();
        if (prices.length > 0) await database.withoutCompany((tx) => keepPrices(tx, prices));
        else log.warn('the price source knows no price');
      } catch (error) {
        log.warn({ err: error }, 'prices could not be brought up to date');
      }
      await delay(intervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
