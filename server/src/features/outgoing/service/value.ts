import { valuationCurrency } from '@causeway/contract/rates.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isStale, usdValue } from '../../rates/index.ts';

/** What an amount is worth, in US cents. @throws DomainError rateStale when no price is fresh enough to decide by */
export function usdCentsOf(
  asset: { price: { usd: string; updatedAt: Date } | null; coin: string; decimals: number },
  amountMinor: bigint,
  now: Date,
): bigint {
  const { price, coin, decimals } = asset;
  // It is what values are in: no source has a price of it.
  if (coin === valuationCurrency) return usdValue(amountMinor, decimals, '1');
  if (!price || isStale(price, now)) throw new DomainError('rateStale', { coin });
  return usdValue(amountMinor, decimals, price.usd);
}
