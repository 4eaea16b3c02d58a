import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { type getRateHistory, type listRates, type RateSpan, valuationCurrency } from '@causeway/contract/rates.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { SignedInContext } from '../../platform/session.ts';
import { isStale } from './domain.ts';
import { findPoints, findUsdAgo } from './mids/history-store.ts';
import { findMids } from './mids/store.ts';
import { pairsOf, rateOf } from './pairs.ts';
import { findPrices } from './store.ts';

/** The assets of which a company has wallets, in the order in which they are shown; bound by compose. */
export type HeldAssets = (tx: Tx) => Promise<string[]>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The last price of each coin in dollars, whether it is out of date, and the middle rates of the company's pairs. */
export async function list(
  tx: Tx,
  { clock }: SignedInContext,
  heldAssets: HeldAssets,
): Promise<OutputInput<typeof listRates>> {
  const now = clock.now();
  const items = (await findPrices(tx)).map((price) => ({
    asset: price.asset,
    usd: price.usd,
    source: price.source,
    updatedAt: price.updatedAt.toISOString(),
    stale: isStale(price, now),
  }));
  const mids = await findMids(tx, await heldAssets(tx));
  const pairs = pairsOf(mids, await findUsdAgo(tx, new Date(now.getTime() - dayMs)));
  return {
    currency: valuationCurrency,
    items,
    pairs: pairs.map(({ at, ...pair }) => ({ ...pair, at: at?.toISOString() ?? null })),
  };
}

/** A chart has so many points: 144 of a day, 180 of a month. */
const spans: Record<RateSpan, { grain: 'minute' | 'hour'; lengthMs: number; stepMs: number }> = {
  day: { grain: 'minute', lengthMs: dayMs, stepMs: 10 * minuteMs },
  month: { grain: 'hour', lengthMs: 30 * dayMs, stepMs: 240 * minuteMs },
};

/** The middle rate of a pair over time, wherever both prices are known. */
export async function history(
  tx: Tx,
  { clock }: SignedInContext,
  { sell, buy, span }: Query<typeof getRateHistory>,
): Promise<OutputInput<typeof getRateHistory>> {
  const { grain, lengthMs, stepMs } = spans[span];
  const to = clock.now();
  const from = new Date(to.getTime() - lengthMs);
  const found = await findPoints(tx, { assets: [sell, buy], grain, from, stepMs });
  const times = new Map<number, Map<string, string>>();
  for (const { asset, at, usd } of found) {
    const prices = times.get(at.getTime()) ?? new Map([[valuationCurrency, '1']]);
    times.set(at.getTime(), prices.set(asset, usd));
  }
  const points = [...times].flatMap(([at, prices]) => {
    const [sellUsd, buyUsd] = [prices.get(sell), prices.get(buy)];
    return sellUsd && buyUsd ? [{ at: new Date(at).toISOString(), rate: rateOf(sellUsd, buyUsd) }] : [];
  });
  return { from: from.toISOString(), to: to.toISOString(), stepSeconds: stepMs / 1000, points };
}
