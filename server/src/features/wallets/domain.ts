import { usdValue } from '../rates/index.ts';

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

/** What a posting moved into or out of a wallet's total, in minor units, both positive. */
interface Moved {
  kind: string;
  correcting: boolean;
  inMinor: bigint;
  outMinor: bigint;
}

/** Beside corrections: money that is taken from `available` for an arrival that was taken back. */
const takingBack = 'deposit.repaid';

/** Between the company's own wallets: what it costs is in the value of what is held. */
const exchanging = 'exchange.execute';

/** Into and out of what is frozen for trades, which is the company's all the while. */
const ofTrades = 'trade.';

/**
 * What was paid in and out; an exchange is neither, nor what is frozen for a trade or given back. What takes back money that had come in makes less of what came in, and does not count as paid out; the other
 * way round likewise.
 */
export function paid({ kind, correcting, inMinor, outMinor }: Moved): { inMinor: bigint; outMinor: bigint } {
  if (kind === exchanging || kind.startsWith(ofTrades)) return { inMinor: 0n, outMinor: 0n };
  return correcting || kind === takingBack ? { inMinor: -outMinor, outMinor: -inMinor } : { inMinor, outMinor };
}
