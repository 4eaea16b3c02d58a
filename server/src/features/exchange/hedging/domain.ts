import { Decimal } from 'decimal.js';
import type { Market } from './venue.ts';

/** What to hedge: pure. Quantities and prices in whole units as plain decimals. */

const Exact = Decimal.clone({ precision: 60 });
/** Of a price where the venue has no step of its own: a dong is as exact as a pound. */
export const priceDigits = 12;

export interface Exposure {
  decimals: number;
  /** Minor units, a plain decimal; positive: long. */
  minor: string;
  hedgeFrom: bigint | null;
  hedgeTo: bigint | null;
}

export interface Rules {
  slippageBasisPoints: number;
  /** The most that this order may be worth: the venue's, and the rest of the day's. */
  mostUsd: string;
}

export interface Hedge {
  side: 'buy' | 'sell';
  quantity: string;
  limitPrice: string;
}

/**
 * The order that brings a position back to its target; null where it is not beyond its level, or what could be ordered is too small for the venue. The
 * quantity is rounded down to the venue's step, and the limit towards the middle price, so that neither goes further than was allowed.
 */
export function hedgeOf(
  { decimals, minor, hedgeFrom, hedgeTo }: Exposure,
  market: Market,
  { usd, counterUsd }: { usd: string; counterUsd: string },
  { slippageBasisPoints, mostUsd }: Rules,
): Hedge | null {
  if (hedgeFrom === null || hedgeTo === null) return null;
  const position = new Exact(minor);
  if (position.abs().lt(hedgeFrom.toString())) return null;
  const side = position.isPositive() ? 'sell' : 'buy';
  const wanted = position.abs().minus(hedgeTo.toString()).times(new Exact(10).pow(-decimals));
  const quantity = Decimal.min(wanted, new Exact(mostUsd).div(usd)).toDecimalPlaces(
    market.quantityDecimals,
    Decimal.ROUND_DOWN,
  );
  const slip = new Exact(slippageBasisPoints).div(10_000);
  const mid = new Exact(usd).div(counterUsd);
  const limit = side === 'buy' ? mid.times(slip.plus(1)) : mid.times(new Exact(1).minus(slip));
  const towardsMid = side === 'buy' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP;
  const limitPrice =
    market.priceDecimals === null
      ? limit.toSignificantDigits(priceDigits, towardsMid)
      : limit.toDecimalPlaces(market.priceDecimals, towardsMid);
  const isTooSmall = quantity.lt(market.leastQuantity) || quantity.times(limitPrice).lt(market.leastCost);
  if (isTooSmall || !limitPrice.isPositive() || limitPrice.isZero()) return null;
  return { side, quantity: quantity.toFixed(), limitPrice: limitPrice.toFixed() };
}

/** Milliseconds to wait after an order that was not taken, doubling with each one in a row, an hour at most. */
export function pauseAfter(failures: number, firstMs: number): number {
  return failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), 3_600_000);
}

/** The sum of plain decimals. */
export function sumOf(values: readonly string[]): string {
  return values.reduce((total, value) => total.plus(value), new Exact(0)).toFixed();
}

/** Whether two plain decimals are the same number. */
export function isSame(a: string, b: string): boolean {
  return new Exact(a).eq(b);
}
