import { valuationCurrency } from '@causeway/contract/rates.ts';
import { Decimal } from 'decimal.js';
import type { Said } from './adapters/source.ts';
import type { PriceFault } from './mids/domain.ts';

/** US dollars per unit of each asset, from what an exchange quotes for its pairs: pure. */
const Estimate = Decimal.clone({ precision: 20, rounding: Decimal.ROUND_HALF_UP });

/** What an exchange bids and asks for one unit of `base`, in units of `quote`, as it said it. */
export interface PairQuote {
  base: string;
  quote: string;
  bid: unknown;
  ask: unknown;
  at: Date;
}

interface Known {
  bid: Decimal;
  ask: Decimal;
  at: Date;
  fault: PriceFault | null;
}

/**
 * The price of every asset that a chain of pairs leads to from the US dollar, by the first pairs that do, direct ones first. What is wrong
 * with a pair is wrong with every price that goes through it, so that a lie about one pair is not taken for a price of another.
 */
export function dollarsOf(quotes: readonly PairQuote[]): Said[] {
  const known = new Map<string, Known>([
    [valuationCurrency, { bid: new Estimate(1), ask: new Estimate(1), at: new Date(8.64e15), fault: null }],
  ]);
  for (let isNew = true; isNew; ) {
    const reached = new Map<string, Known>();
    for (const quote of quotes) {
      const [through, asset] = known.has(quote.quote) ? [quote.quote, quote.base] : [quote.base, quote.quote];
      const price = known.get(through);
      if (!price || known.has(asset) || reached.has(asset)) continue;
      reached.set(asset, cross(price, quote, asset === quote.base));
    }
    for (const [asset, price] of reached) known.set(asset, price);
    isNew = reached.size > 0;
  }
  known.delete(valuationCurrency);
  return [...known].map(([asset, { bid, ask, at, fault }]) => ({
    asset,
    bid: written(bid),
    ask: written(ask),
    at,
    fault,
  }));
}

/** The price of the other asset of a pair, one of whose assets costs `price`. */
function cross(price: Known, quote: PairQuote, isBase: boolean): Known {
  const [bid, ask] = [readFigure(quote.bid), readFigure(quote.ask)];
  const at = price.at < quote.at ? price.at : quote.at;
  if (bid === null || ask === null) return { ...none, at, fault: 'unreadable' };
  const fault = price.fault ?? faultOf(bid, ask);
  // The figures stay as they were said where they are direct, for operators to see.
  if (isBase) return { bid: bid.times(price.bid), ask: ask.times(price.ask), at, fault };
  if (fault !== null) return { ...none, at, fault };
  return { bid: price.bid.div(ask), ask: price.ask.div(bid), at, fault };
}

const none = { bid: new Estimate(0), ask: new Estimate(0) };

function faultOf(bid: Decimal, ask: Decimal): PriceFault | null {
  if (bid.lte(0) || ask.lte(0)) return 'notPositive';
  return bid.gt(ask) ? 'crossed' : null;
}

/** A figure as exchanges write it, negative ones too; null for what is none or is beyond all prices. */
export function readFigure(value: unknown): Decimal | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  if (!/^-?\d{1,20}(\.\d{1,30})?(e[+-]?\d{1,2})?$/.test(String(value))) return null;
  const figure = new Estimate(value).toSignificantDigits(20);
  return figure.abs().lt('1e15') ? figure : null;
}

function written(price: Decimal): string {
  return price.toSignificantDigits(20).toFixed();
}
