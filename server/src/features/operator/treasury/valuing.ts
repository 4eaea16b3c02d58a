import type { PlatformTx } from '../../../platform/database/database.ts';
import { findPrices, formatUsd, isStale, usdValue } from '../../rates/index.ts';

/** US dollars of an amount in minor units at the present price; null without a fresh one. */
export type Valuing = (asset: string, decimals: number, minor: bigint) => string | null;

export async function valuing(tx: PlatformTx, now: Date): Promise<Valuing> {
  const prices = new Map(
    (await findPrices(tx)).filter((price) => !isStale(price, now)).map(({ asset, usd }) => [asset, usd]),
  );
  return (asset, decimals, minor) => {
    const price = prices.get(asset);
    return price === undefined ? null : formatUsd(usdValue(minor, decimals, price));
  };
}
