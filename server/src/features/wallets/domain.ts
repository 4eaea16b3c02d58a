import { usdValue } from '../rates/index.ts';

/** The last `count` days up to the one of `now`, oldest first, as YYYY-MM-DD (UTC). */
export function lastDays(now: Date, count: number): string[] {
  const dayMs = 86_400_000;
  return Array.from({ length: count }, (_, i) =>
    new Date(now.getTime() - (count - 1 - i) * dayMs).toISOString().slice(0, 10),
  );
}

/** The instant at which a day (YYYY-MM-DD) is over. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
}

/** A balance in minor units of an asset. */
export interface Balance {
  asset: string;
  decimals: number;
  minor: bigint;
}

/** The value of some balances in cents; null when a balance that is not nothing has no price in US dollars a whole unit. */
export function totalValue(
  balances: readonly Balance[],
  priceOf: (asset: string) => string | undefined,
): bigint | null {
  let total = 0n;
  for (const { asset, decimals, minor } of balances) {
    if (minor === 0n) continue;
    const price = priceOf(asset);
    if (price === undefined) return null;
    total += usdValue(minor, decimals, price);
  }
  return total;
}
