import * as z from 'zod/mini';
import { call } from './call.ts';
import { coin, instant } from './ids.ts';

/** The currency in which totals and shares are shown. */
export const valuationCurrency = 'USD';

/** A price: how many US dollars one whole coin is worth, a plain decimal of at most 20 significant digits. */
export const rate = z.object({ coin, usd: z.string(), updatedAt: instant, stale: z.boolean() });
export type Rate = z.output<typeof rate>;

export const listRates = call({
  name: 'listRates',
  method: 'GET',
  path: '/web/trx/currency-rate',
  summary: 'Estimated prices in US dollars with the time of each; `stale` when too old to decide on.',
  access: 'wallet.view',
  output: z.object({ currency: z.literal(valuationCurrency), items: z.array(rate) }),
  errors: [],
});
