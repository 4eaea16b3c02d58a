import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';
import { isStale } from './domain.ts';
import { findMidStates, findSourceStates } from './mids/states-store.ts';
import { byDefinition, findPrices } from './store.ts';

const oldest = new Gauge({
  name: 'causeway_price_age_seconds',
  help: 'Age of the oldest price',
  registers: [registry],
});

const unused = new Gauge({
  name: 'causeway_price_source_left_out',
  help: 'Prices of a source that are not used: crossed, stale, jumping, too far from others',
  labelNames: ['source'],
  registers: [registry],
});
const unusable = new Gauge({
  name: 'causeway_mids_unusable',
  help: 'Assets that enough sources price, and that cannot be quoted',
  registers: [registry],
});

/** Whether a configured source of prices answers, and whether all that it says is used. */
export function priceSourceCheck(database: Database, source: string): HealthCheck {
  return {
    name: `price-source:${source}`,
    need: 'degraded',
    async check() {
      const state = (await database.withoutCompany(findSourceStates)).find((each) => each.source === source);
      if (!state) throw new HealthProblem('source.silent');
      unused.set({ source }, state.leftOut.length);
      if (state.problem !== null) throw new HealthProblem(`source.${state.problem}`);
      const assets = state.leftOut.map(({ asset }) => asset).join(', ');
      if (assets !== '') throw new HealthProblem('source.leftOut', { assets });
    },
  };
}

/** Whether every asset that enough sources price can be quoted. */
export function midsCheck(database: Database): HealthCheck {
  return {
    name: 'mids',
    need: 'degraded',
    async check() {
      const states = await database.withoutCompany(findMidStates);
      const bad = states.filter(({ problem, isCovered }) => problem !== null && isCovered);
      unusable.set(bad.length);
      if (bad.length > 0) throw new HealthProblem('midsUnusable', { assets: bad.map(({ asset }) => asset).join(', ') });
    },
  };
}

/** Whether every price is young enough to decide by. */
export function pricesCheck(database: Database): HealthCheck {
  return {
    name: 'prices',
    need: 'degraded',
    async check() {
      const known = await database.withoutCompany(findPrices);
      const prices = known.filter(({ source }) => source !== byDefinition);
      if (prices.length === 0) throw new HealthProblem('noPrice');
      const now = new Date();
      oldest.set(Math.max(...prices.map(({ updatedAt }) => now.getTime() - updatedAt.getTime())) / 1000);
      const stale = prices.filter((price) => isStale(price, now)).map(({ asset }) => asset);
      if (stale.length > 0) throw new HealthProblem('stalePrices', { assets: stale.join(', ') });
    },
  };
}
