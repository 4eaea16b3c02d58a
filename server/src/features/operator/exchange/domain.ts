import { formatAmount } from '@causeway/contract/money.ts';

/** Limits of positions: pure. Minor units. */

export interface Limits {
  mostLong: bigint | null;
  mostShort: bigint | null;
  hedgeFrom: bigint | null;
  hedgeTo: bigint | null;
}

export const noLimits: Limits = { mostLong: null, mostShort: null, hedgeFrom: null, hedgeTo: null };

export type LimitName = keyof Limits;
export const limitNames = ['mostLong', 'mostShort', 'hedgeFrom', 'hedgeTo'] as const satisfies readonly LimitName[];

/** Whether no figure allows more than before. To begin hedging is to begin trading, which is more. */
export function isNarrower(held: Limits, wanted: Limits): boolean {
  const isWithin = (name: 'mostLong' | 'mostShort') => {
    const [before, after] = [held[name], wanted[name]];
    return before === null || (after !== null && after <= before);
  };
  const isSame = held.hedgeFrom === wanted.hedgeFrom && held.hedgeTo === wanted.hedgeTo;
  const isEarlier =
    held.hedgeFrom !== null &&
    held.hedgeTo !== null &&
    wanted.hedgeFrom !== null &&
    wanted.hedgeTo !== null &&
    wanted.hedgeFrom <= held.hedgeFrom &&
    wanted.hedgeTo <= held.hedgeTo;
  return isWithin('mostLong') && isWithin('mostShort') && (isSame || isEarlier);
}

/** As a proposal keeps them. */
export function inDigits(limits: Limits): Record<LimitName, string | null> {
  return Object.fromEntries(limitNames.map((name) => [name, limits[name]?.toString() ?? null])) as Record<
    LimitName,
    string | null
  >;
}

/** Those that are set, in whole units. */
export function inUnits(limits: Limits, decimals: number): Record<string, string> {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const value = limits[name];
      return value === null ? [] : [[name, formatAmount(value, decimals)]];
    }),
  );
}
