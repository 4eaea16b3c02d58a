import { listRates } from '@causeway/contract/rates.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { type Http, route } from '../../platform/http.ts';
import { isStale } from './domain.ts';
import { findPrices } from './store.ts';

export function registerRatesRoutes(http: Http, deps: { database: Database; clock: Clock }): void {
  route(http, listRates, async () => {
    const prices = await deps.database.withoutCompany(findPrices);
    const now = deps.clock.now();
    const items = prices.map((price) => ({
      coin: price.coin,
      usd: price.usd,
      updatedAt: price.updatedAt.toISOString(),
      stale: isStale(price, now),
    }));
    return { currency: 'USD' as const, items };
  });
}
