import { valuationCurrency } from '@causeway/contract/rates.ts';

/** The currency in which a company's totals are shown. Values are made in US cents; this is the one place that says what becomes of them. */
export interface Books {
  currency: typeof valuationCurrency;
  /** Of the currency's minor units. */
  decimals: number;
  /** US cents in minor units of the currency, at its rate of a day (YYYY-MM-DD) or of now; null where none is known. */
  convert(cents: bigint, day?: string): bigint | null;
}

/** US dollars, of every company. */
export function readBooks(): Books {
  return { currency: valuationCurrency, decimals: 2, convert: (cents) => cents };
}
