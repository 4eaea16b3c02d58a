import { Decimal } from 'decimal.js';

/**
 * How the middle price of an asset follows from what several sources say (docs/DECISIONS.md, "Rates"). Pure: the clock and the last
 * mid are arguments. Prices are US dollars per whole unit, plain decimals.
 */
const Price = Decimal.clone({ precision: 20, rounding: Decimal.ROUND_HALF_UP });
type Price = Decimal;

/** What is wrong with one price of one source. */
export type PriceFault =
  | 'unreadable'
  | 'notPositive'
  | 'crossed'
  | 'wide'
  | 'stale'
  | 'ahead'
  | 'outsideBand'
  | 'jumping'
  | 'disagreeing';

/**
 * Why an asset has no middle price that may be quoted: no source has a usable one, all are too old, fewer are usable than are needed
 * (`single`, also where three are needed and two are there), or they disagree.
 */
export type MidProblem = 'none' | 'stale' | 'disagreeing' | 'single';

/** What one source says of one asset. */
export interface SourcePrice {
  source: string;
  bid: string;
  ask: string;
  /** What the adapter already found wrong with it. */
  fault: PriceFault | null;
  at: Date;
  expiresAt: Date;
}

/** Limits of one asset; basis points. */
export interface MidRules {
  /** How many sources must agree. */
  needed: number;
  /** How far the used prices may be apart. */
  disagreementBp: number;
  /** How far a source may be from the last mid, unless another one confirms it. */
  jumpBp: number;
  /** How far bid and ask of one source may be apart. */
  wideBp: number;
  /** How far a source may be from the band's reference. */
  bandBp: number;
}

export interface MidInput {
  prices: readonly SourcePrice[];
  /** The last mid that held, and until when it did. */
  last: { usd: string; heldUntil: Date } | null;
  /** A reference rate that the price must be near to; null: there is none. */
  band: string | null;
  now: Date;
  rules: MidRules;
}

export interface MidOutcome {
  /** Null where there is a problem. */
  mid: { usd: string; at: Date; holdsUntil: Date; sources: string[] } | null;
  problem: MidProblem | null;
  /** The sources whose price was not used, each with why. */
  leftOut: { source: string; fault: PriceFault }[];
}

/** A mid is quoted for so long after the sources were last looked at, though they be younger: the worker may have stopped. */
export const midHoldsMs = 60_000;
/** A source's clock may be ahead of the database's by so much. */
export const aheadMs = 60_000;
/** A last mid older than this says nothing about a jump. */
const lastCountsMs = 3_600_000;

interface Usable {
  source: string;
  usd: Price;
  at: Date;
  expiresAt: Date;
}

/** Makes the middle price of an asset: the median of the largest group of sources that agree, if it is the majority and large enough. */
export function makeMid({ prices, last, band, now, rules }: MidInput): MidOutcome {
  const leftOut: MidOutcome['leftOut'] = [];
  const plausible: Usable[] = [];
  for (const price of prices) {
    const fault = price.fault ?? faultOf(price, band, now, rules);
    if (fault !== null) leftOut.push({ source: price.source, fault });
    else plausible.push(usable(price));
  }
  const steady = plausible.filter((price) => {
    const jumps = isJump(price, plausible, last, now, rules);
    if (jumps) leftOut.push({ source: price.source, fault: 'jumping' });
    return !jumps;
  });
  if (steady.length === 0) {
    const areOld = leftOut.length > 0 && leftOut.every(({ fault }) => fault === 'stale');
    return { mid: null, problem: areOld ? 'stale' : 'none', leftOut };
  }
  const agreeing = largestAgreement(steady, rules.disagreementBp);
  if (agreeing.length * 2 <= steady.length) {
    const all = steady.map(({ source }) => ({ source, fault: 'disagreeing' as const }));
    return { mid: null, problem: 'disagreeing', leftOut: [...leftOut, ...all] };
  }
  for (const price of steady) {
    if (!agreeing.includes(price)) leftOut.push({ source: price.source, fault: 'disagreeing' });
  }
  if (agreeing.length < rules.needed) return { mid: null, problem: 'single', leftOut };
  return { mid: midOf(agreeing, rules.needed, now), problem: null, leftOut };
}

/** What is wrong with a price by itself, or against the reference. */
function faultOf({ bid, ask, at, expiresAt }: SourcePrice, band: string | null, now: Date, rules: MidRules) {
  const [low, high] = [new Price(bid), new Price(ask)];
  if (!low.isFinite() || !high.isFinite()) return 'unreadable';
  if (low.lte(0) || high.lte(0)) return 'notPositive';
  if (low.gt(high)) return 'crossed';
  if (isApart(low, high, rules.wideBp)) return 'wide';
  if (at.getTime() - now.getTime() > aheadMs) return 'ahead';
  if (expiresAt.getTime() <= now.getTime()) return 'stale';
  if (band !== null && isApart(middle(low, high), new Price(band), rules.bandBp)) return 'outsideBand';
  return null;
}

function usable({ source, bid, ask, at, expiresAt }: SourcePrice): Usable {
  return { source, usd: middle(new Price(bid), new Price(ask)), at, expiresAt };
}

function middle(low: Price, high: Price): Price {
  return low.plus(high).div(2);
}

/** Whether the greater of two positive prices is above the smaller by more than so many basis points. */
function isApart(one: Price, other: Price, basisPoints: number): boolean {
  const [low, high] = one.lt(other) ? [one, other] : [other, one];
  return high.minus(low).times(10_000).gt(low.times(basisPoints));
}

function isJump(
  price: Usable,
  others: readonly Usable[],
  last: MidInput['last'],
  now: Date,
  { jumpBp, disagreementBp }: MidRules,
): boolean {
  if (!last || now.getTime() - last.heldUntil.getTime() > lastCountsMs) return false;
  if (!isApart(price.usd, new Price(last.usd), jumpBp)) return false;
  return !others.some((other) => other !== price && !isApart(price.usd, other.usd, disagreementBp));
}

/** The most prices of which no two are further apart than the limit; of several such groups the closest one. In the order of price. */
function largestAgreement(prices: readonly Usable[], disagreementBp: number): Usable[] {
  const sorted = prices.toSorted((a, b) => a.usd.cmp(b.usd));
  let best: Usable[] = [];
  sorted.forEach((lowest, from) => {
    const group = sorted.slice(from).filter(({ usd }) => !isApart(lowest.usd, usd, disagreementBp));
    if (group.length > best.length || (group.length === best.length && width(group).lt(width(best)))) best = group;
  });
  return best;
}

function width(group: readonly Usable[]): Price {
  const [lowest, highest] = [group.at(0), group.at(-1)];
  return lowest && highest ? highest.usd.div(lowest.usd) : new Price(Number.POSITIVE_INFINITY);
}

/** The median of prices in order; with an even number the mean of the middle two. Holds while `needed` of them are young enough. */
function midOf(sorted: readonly Usable[], needed: number, now: Date): MidOutcome['mid'] {
  const half = Math.floor(sorted.length / 2);
  const [below, above] = [sorted[sorted.length % 2 === 1 ? half : half - 1], sorted[half]];
  if (!below || !above) return null;
  const expiries = sorted.map(({ expiresAt }) => expiresAt.getTime()).toSorted((a, b) => b - a);
  const holdsUntil = Math.min(now.getTime() + midHoldsMs, expiries[needed - 1] ?? now.getTime());
  const oldest = Math.min(...sorted.map(({ at }) => at.getTime()), now.getTime());
  return {
    usd: middle(below.usd, above.usd).toSignificantDigits(20).toFixed(),
    at: new Date(oldest),
    holdsUntil: new Date(holdsUntil),
    sources: sorted.map(({ source }) => source).toSorted(),
  };
}
