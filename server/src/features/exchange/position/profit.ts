import { Decimal } from 'decimal.js';
import type { DaySum } from './store.ts';

/**
 * Profit and loss of the position, in US dollars: pure. Every trade gives one asset for another, so that the value of all positions at today's middle
 * prices is what trading has made since its first day; a day's profit is what that value has grown by, in these parts:
 * - spread: what both sides of exchanges differed by at the middle prices of the moment,
 * - hedging: the same of hedges, so that a price worse than the middle is a loss,
 * - revaluation: what prices have done to what was held,
 * and beside it the fees that were earned (`fx_fee`) and paid to venues.
 */

/** More digits than any product here has: only what is shown is rounded. */
const Exact = Decimal.clone({ precision: 60 });

/** US dollars, plain decimals with two places. A part is null where a price is missing. */
export interface Profit {
  spread: string;
  hedging: string;
  revaluation: string | null;
  feesEarned: string;
  feesPaid: string;
  /** All of them. */
  total: string | null;
}

export interface DayProfit extends Profit {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** Of each asset that was held or traded; without the parts that only both sides together have. */
  assets: { asset: string; revaluation: string | null; value: string | null }[];
}

/** US dollars for one whole unit at the end of a day, or now on the last one; undefined: there is none. */
export type PriceOf = (asset: string, day: string) => string | undefined;

/** The profit of each of `days`, which follow one another, with all that was traded before them. */
export function profitByDay(sums: readonly DaySum[], days: readonly string[], priceOf: PriceOf): DayProfit[] {
  const [first] = days;
  if (first === undefined) return [];
  const held = new Map<string, { decimals: number; units: Decimal }>();
  const add = ({ asset, decimals, amount }: DaySum) => {
    const units = held.get(asset)?.units ?? new Exact(0);
    held.set(asset, { decimals, units: units.plus(new Exact(amount).times(new Exact(10).pow(-decimals))) });
  };
  for (const sum of sums) if (sum.day < first) add(sum);
  let before = previousDay(first);
  return days.map((day) => {
    const opening = valuesOf(held, before, priceOf);
    const traded = sums.filter((sum) => sum.day === day);
    for (const sum of traded) add(sum);
    const closing = valuesOf(held, day, priceOf);
    before = day;
    return dayOf(day, { opening, closing, traded });
  });
}

type Values = ReadonlyMap<string, Decimal | null>;

function valuesOf(held: ReadonlyMap<string, { units: Decimal }>, day: string, priceOf: PriceOf): Values {
  return new Map(
    [...held].map(([asset, { units }]) => {
      const price = priceOf(asset, day);
      // Of nothing the value is known without a price.
      return [asset, units.isZero() ? new Exact(0) : price === undefined ? null : units.times(price)];
    }),
  );
}

function dayOf(
  day: string,
  { opening, closing, traded }: { opening: Values; closing: Values; traded: readonly DaySum[] },
): DayProfit {
  const sum = (rows: readonly DaySum[], of: (row: DaySum) => string) =>
    rows.reduce((total, row) => total.plus(of(row)), new Exact(0));
  const from = (source: DaySum['source']) => traded.filter((row) => row.source === source);
  const assets = [...closing].map(([asset, value]) => {
    const start = opening.has(asset) ? (opening.get(asset) ?? null) : new Exact(0);
    const own = sum(
      traded.filter((row) => row.asset === asset),
      ({ usd }) => usd,
    );
    return { asset, value, revaluation: value === null || start === null ? null : value.minus(start).minus(own) };
  });
  const spread = sum(from('exchange'), ({ usd }) => usd);
  const hedging = sum(from('hedge'), ({ usd }) => usd);
  const feesEarned = sum(from('exchange'), ({ feeUsd }) => feeUsd);
  const feesPaid = sum(from('hedge'), ({ feeUsd }) => feeUsd);
  const revaluation = assets.reduce<Decimal | null>(
    (total, one) => (total === null || one.revaluation === null ? null : total.plus(one.revaluation)),
    new Exact(0),
  );
  const total = revaluation?.plus(spread).plus(hedging).plus(feesEarned).plus(feesPaid) ?? null;
  return {
    day,
    spread: say(spread),
    hedging: say(hedging),
    revaluation: sayOrNull(revaluation),
    feesEarned: say(feesEarned),
    feesPaid: say(feesPaid),
    total: sayOrNull(total),
    assets: assets.map(({ asset, value, revaluation: change }) => ({
      asset,
      value: sayOrNull(value),
      revaluation: sayOrNull(change),
    })),
  };
}

/** Two places, half-up; no minus before nothing. */
function say(value: Decimal): string {
  const rounded = value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  return (rounded.isZero() ? rounded.abs() : rounded).toFixed(2);
}

function sayOrNull(value: Decimal | null): string | null {
  return value === null ? null : say(value);
}

function previousDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}
