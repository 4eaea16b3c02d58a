import type { OutputInput } from '@causeway/contract/call.ts';
import type { listRates } from '@causeway/contract/rates.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { SignedInContext } from '../../platform/session.ts';
import { isStale } from './domain.ts';
import { findPrices } from './store.ts';

/** The last price of each coin in dollars, and whether it is out of date. */
export async function list(tx: Tx, { clock }: SignedInContext): Promise<OutputInput<typeof listRates>> {
  const now = clock.now();
  const items = (await findPrices(tx)).map((price) => ({
    asset: price.asset,
    usd: price.usd,
    source: price.source,
    updatedAt: price.updatedAt.toISOString(),
    stale: isStale(price, now),
  }));
  return { currency: 'USD', items };
}
