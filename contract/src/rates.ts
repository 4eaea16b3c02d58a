import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, instant } from './ids.ts';
import { midProblems, rateSpans } from './rates-rules.ts';

export * from './rates-rules.ts';

/** The currency in which totals and shares are shown. */
export const valuationCurrency = 'USD';

/**
 * A price: how many US dollars one whole coin or unit of a currency is worth, a plain decimal of at most 20 significant digits.
 * `source` names who says so; that of the US dollar is `definition`.
 */
export const rate = z.object({ asset, usd: z.string(), source: z.string(), updatedAt: instant, stale: z.boolean() });
export type Rate = z.output<typeof rate>;

/** The middle rate between two assets, in units of `buy` for one of `sell`: plain decimals of at most 12 significant digits. */
const ratePair = z.object({
  sell: asset,
  buy: asset,
  /** With a problem, the last one that held; null: there never was one. */
  rate: z.nullable(z.string()),
  inverse: z.nullable(z.string()),
  /** Per cent since 24 hours ago, two decimals, with its sign where it is below zero; null: no rate of then is known. */
  changePercent: z.nullable(z.string()),
  /** Since when the older one of the two prices holds. */
  at: z.nullable(instant),
  sources: z.array(z.string()),
  /** Why nothing is quoted; null: it can be. */
  problem: z.nullable(z.enum(midProblems)),
});
export type RatePair = z.output<typeof ratePair>;

export const listRates = call({
  name: 'listRates',
  method: 'GET',
  path: '/web/trx/currency-rate',
  summary:
    'Estimated prices of coins and currencies in US dollars, with source and time of each, `stale` when too old to decide on; and the middle rate of every ordered pair of assets that the company has wallets of.',
  access: 'wallet.view',
  output: z.object({ currency: z.literal(valuationCurrency), items: z.array(rate), pairs: z.array(ratePair) }),
  errors: [],
});

export const getRateHistory = call({
  name: 'getRateHistory',
  method: 'GET',
  path: '/web/trx/currency-rate/history',
  summary:
    'The middle rate of a pair over a day, every ten minutes, or over thirty days, every four hours. Times without a rate are left out.',
  access: 'wallet.view',
  query: z.strictObject({ sell: asset, buy: asset, span: z.enum(rateSpans) }),
  output: z.object({
    from: instant,
    to: instant,
    /** Between two points, where none is left out. */
    stepSeconds: z.number(),
    points: z.array(z.object({ at: instant, rate: z.string() })),
  }),
  errors: [],
});
export type RateHistory = z.output<typeof getRateHistory.output>;
