import { formatAmount } from '@causeway/contract/money.ts';
import { Decimal } from 'decimal.js';

/** Estimates: 20 significant digits, half-up (decisions, "Money"). They never enter the ledger. */
const Estimate = Decimal.clone({ precision: 20, rounding: Decimal.ROUND_HALF_UP });

/** Past this age a price is shown as stale and decides nothing. */
export const staleAfterMs = 600_000;

/** US dollars per whole unit of a coin or currency, a plain decimal, and when its source says it was true. */
export interface Price {
  asset: string;
  usd: string;
  /** Who says so: a price source, or `definition` for the US dollar itself. */
  source: string;
  updatedAt: Date;
}

export function isStale(price: Pick<Price, 'updatedAt'>, now: Date): boolean {
  return now.getTime() - price.updatedAt.getTime() > staleAfterMs;
}

/** A price as it is kept: plain, at most 20 significant digits; null for what cannot be a price. */
export function readPrice(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  if (!/^\d+(\.\d+)?(e[+-]?\d{1,2})?$/.test(String(value))) return null;
  const price = new Estimate(value).toSignificantDigits(20);
  return price.gt(0) && price.lt('1e15') ? price.toFixed() : null;
}

/**
 * What one unit costs in another: from the prices of both in the same currency, or of one in both. US dollars per unit of a currency
 * from a coin's price in dollars and in it, for one. Plain, 20 significant digits.
 */
export function crossPrice(inUsd: string, inCurrency: string): string {
  return new Estimate(inUsd).div(inCurrency).toFixed();
}

/** The one place where an estimate becomes whole units: minor units of an asset to US cents, half-up. */
export function usdValue(minor: bigint, decimals: number, price: string): bigint {
  const dollars = new Estimate(minor.toString()).times(price).times(`1e-${decimals}`);
  return BigInt(dollars.times(100).toDecimalPlaces(0).toFixed());
}

/** US cents in minor units of a currency, one unit of which costs `usdPerUnit`; half-up. */
export function inCurrency(cents: bigint, decimals: number, usdPerUnit: string): bigint {
  const units = new Estimate(cents.toString()).div(100).div(usdPerUnit);
  return BigInt(units.times(`1e${decimals}`).toDecimalPlaces(0).toFixed());
}

/** Cents as the contract writes dollars: "12.50". */
export function formatUsd(cents: bigint): string {
  return formatAmount(cents, 2);
}

/** How many per cent `part` is of `whole`, two decimals, half-up; null of nothing. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const hundredths = (part * 20_000n + whole) / (2n * whole);
  return formatAmount(hundredths, 2);
}

/** What people call a source of prices; several, as they are kept for one rate, are parted by commas. */
export function sourceName(source: string): string {
  const names = { coingecko: 'CoinGecko', kraken: 'Kraken', bitstamp: 'Bitstamp', ecb: 'ECB', desk: 'OTC desk' };
  return Object.entries(names).reduce((said, [id, name]) => said.replaceAll(id, name), source);
}

/** A rate for people: at most eight significant digits, half-up. */
export function sayRate(rate: string): string {
  return new Estimate(rate).toSignificantDigits(8).toFixed();
}
