import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';
import { isStale } from './domain.ts';
import { byDefinition, findPrices } from './store.ts';

const oldest = new Gauge({
  name: 'causeway_price_age_seconds',
  help: 'Age of the oldest price',
  registers: [registry],
});

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
