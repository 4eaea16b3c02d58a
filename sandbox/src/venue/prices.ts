import type { PriceId, PriceState } from '../price-feed.ts';
import { PER_USD } from '../price-sources.ts';

/** What the price feed calls the assets of the venue. */
const IDS: Readonly<Record<string, PriceId>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  USDT: 'tether',
  USDC: 'usd-coin',
};

/** US dollars for one whole unit, a plain decimal. */
export function dollarsOf(asset: string, usd: PriceState['usd']): string {
  const id = IDS[asset];
  return (id === undefined ? 1 : usd[id]).toFixed(8);
}

/** The same of a currency. */
export function dollarsOfCurrency(currency: string): string {
  return (1 / (PER_USD[currency.toLowerCase()] ?? 1)).toFixed(8);
}
