import type { Database } from '../../platform/database/database.ts';
import { type Loop, startLoop, stopAll } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/process/log.ts';
import { SourceFailure } from './adapters/asking.ts';
import type { RateSource, Said } from './adapters/source.ts';
import type { Price } from './domain.ts';
import { type RulesConfig, takeAnswer, takeFailure } from './mids/service.ts';
import { forgetSources } from './mids/store.ts';
import { keepPrices } from './store.ts';

export interface RatePolling {
  database: Database;
  sources: readonly RateSource[];
  rules: RulesConfig;
  log: Log;
}

/**
 * Keeps prices and mids up to date until stopped: each source is asked by a loop of its own, so that one which is late delays no other. A
 * source that fails is asked again at its next turn; meanwhile its prices grow old and are left out.
 */
export function startRatePoller({ database, sources, rules, log }: RatePolling): Pick<Loop, 'stop'> {
  const names = sources.map(({ name }) => name);
  const forgetting = database
    .withoutCompany((tx) => forgetSources(tx, names))
    .catch((error: unknown) => log.warn({ err: error }, 'sources that are no longer configured are still listed'));
  const loops = sources.map((source) =>
    startLoop({
      name: `rates.poll:${source.name}`,
      everyMs: source.pollMs,
      // Sources count requests: a failed one is not repeated sooner.
      retry: { firstMs: source.pollMs, mostMs: source.pollMs },
      keepsProcess: false,
      log,
      step: () => pollOnce(database, source, rules),
    }),
  );
  return {
    async stop() {
      await Promise.all([forgetting, stopAll(loops)]);
    },
  };
}

async function pollOnce(database: Database, source: RateSource, rules: RulesConfig): Promise<void> {
  const { name, role, maxAgeMs, pollMs } = source;
  try {
    const prices = await source.ask();
    await database.withoutCompany(async (tx) => {
      if (source.values) await keepPrices(tx, valuationsOf(name, prices));
      await takeAnswer(tx, { source: name, role, prices, maxAgeMs, pollMs }, rules);
    });
  } catch (error) {
    if (error instanceof SourceFailure) {
      const { problem } = error;
      await database.withoutCompany((tx) => takeFailure(tx, { source: name, role, problem }, rules));
    }
    throw error;
  }
}

/** Prices that estimates are made with. None is from the future. */
function valuationsOf(source: string, said: readonly Said[]): Price[] {
  const now = new Date();
  return said
    .filter(({ fault }) => fault === null)
    .map(({ asset, bid, at }) => ({ asset, usd: bid, source, updatedAt: at < now ? at : now }));
}
