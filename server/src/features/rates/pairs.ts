import type { MidProblem, RatePair } from '@causeway/contract/rates.ts';
import { Decimal } from 'decimal.js';
import type { Mid } from './mids/store.ts';

/** Rates between two assets, as people read them: pure. Quotes compute their own from the middle prices. */
const Shown = Decimal.clone({ precision: 20, rounding: Decimal.ROUND_HALF_UP });
const significantDigits = 12;

/** Units of `buy` for one of `sell`, from the price of each in US dollars; a plain decimal. */
export function rateOf(sellUsd: string, buyUsd: string): string {
  return new Shown(sellUsd).div(buyUsd).toSignificantDigits(significantDigits).toFixed();
}

/** Worst first: what says most about a pair of which each price has a problem. */
const severity: readonly MidProblem[] = ['none', 'stale', 'disagreeing', 'single'];

/** Every ordered pair of the assets, by their middle prices and those of 24 hours ago. */
export function pairsOf(
  mids: readonly Mid[],
  before: ReadonlyMap<string, string>,
): (Omit<RatePair, 'at'> & { at: Date | null })[] {
  return mids.flatMap((sell) => mids.filter((buy) => buy.asset !== sell.asset).map((buy) => pairOf(sell, buy, before)));
}

function pairOf(sell: Mid, buy: Mid, before: ReadonlyMap<string, string>): ReturnType<typeof pairsOf>[number] {
  const problem = severity.find((each) => each === sell.problem || each === buy.problem) ?? null;
  const named = {
    sell: sell.asset,
    buy: buy.asset,
    sources: [...new Set([...sell.sources, ...buy.sources])].toSorted(),
    problem,
  };
  if (sell.usd === null || buy.usd === null)
    return { ...named, rate: null, inverse: null, changePercent: null, at: null };
  const [sellBefore, buyBefore] = [before.get(sell.asset), before.get(buy.asset)];
  const rate = rateOf(sell.usd, buy.usd);
  return {
    ...named,
    rate,
    inverse: rateOf(buy.usd, sell.usd),
    changePercent: sellBefore && buyBefore ? percentChange(rateOf(sellBefore, buyBefore), rate) : null,
    at: olderOf(sell.at, buy.at),
  };
}

function percentChange(before: string, now: string): string {
  const change = new Shown(now).div(before).minus(1).times(100).toDecimalPlaces(2);
  return change.isZero() ? '0.00' : change.toFixed(2);
}

function olderOf(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one < other ? one : other) : null;
}
