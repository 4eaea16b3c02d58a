import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, instant } from './ids.ts';

/** The currency in which totals and shares are shown. */
export const valuationCurrency = 'USD';

/**
 * A price: how many US dollars one whole coin or unit of a currency is worth, a plain decimal of at most 20 significant digits.
 * `source` names who says so; that of the US dollar is `definition`.
 */
export const rate = z.object({ asset, usd: z.string(), source: z.string(), updatedAt: instant, stale: z.boolean() });
export type Rate = z.output<typeof rate>;

export const listRates = call({
  name: 'listRates',
  method: 'GET',
  path: '/web/trx/currency-rate',
  summary:
    'Estimated prices of coins and currencies in US dollars, with source and time of each; `stale` when too old to decide on.',
  access: 'wallet.view',
  output: z.object({ currency: z.literal(valuationCurrency), items: z.array(rate) }),
  errors: [],
});
