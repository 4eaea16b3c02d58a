import { currencies } from '@causeway/contract/currencies.ts';
import type { BaseCurrency } from '@causeway/contract/organisation-rules.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { crossPrice, inCurrency, type Price } from '../../rates/index.ts';

/**
 * The currency in which a company's totals are shown: its base currency, or US dollars as long as no rate of it is known. Values are
 * made in US cents; this is the one place that says what becomes of them.
 */
export interface Books {
  currency: BaseCurrency;
  /** Of the currency's minor units. */
  decimals: number;
  /** The assets whose prices its figures depend on, beside those of the wallets. */
  pricedBy: readonly string[];
  /** US cents in minor units of the currency, at US dollars per unit of it; by the rate of now unless another is given, null where none is known. */
  convert(cents: bigint, usdPerUnit?: string | null): bigint | null;
  /** A price in US dollars, in the currency. */
  rate(usd: string): string;
}

export async function readBooks(tx: Tx, prices: ReadonlyMap<string, Price>): Promise<Books> {
  const { baseCurrency } = await findCompanySettings(tx);
  const current = prices.get(baseCurrency)?.usd;
  if (baseCurrency === valuationCurrency || current === undefined) {
    return { currency: valuationCurrency, decimals: 2, pricedBy: [], convert: (cents) => cents, rate: (usd) => usd };
  }
  const { decimals } = currencies[baseCurrency];
  return {
    currency: baseCurrency,
    decimals,
    pricedBy: [baseCurrency],
    convert(cents, usdPerUnit = current) {
      if (cents === 0n) return cents;
      return usdPerUnit === null ? null : inCurrency(cents, decimals, usdPerUnit);
    },
    rate: (usd) => crossPrice(usd, current),
  };
}
