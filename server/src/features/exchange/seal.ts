import type { Seal } from '../../platform/crypto/seal.ts';
import type { ExchangeClaims } from '../outgoing/index.ts';
import type { Sides } from './store/sides.ts';

/** Seals an exchange as it is executed; amounts in minor units. */
export function sealExchange(
  seal: Seal,
  { sell, buy }: Sides,
  executed: {
    companyId: string;
    exchangeId: string;
    soldMinor: bigint;
    feeMinor: bigint;
    boughtMinor: bigint;
    at: Date;
  },
): string {
  const claims: ExchangeClaims = {
    version: 1,
    companyId: executed.companyId,
    exchangeId: executed.exchangeId,
    sellWalletId: sell.walletId,
    sellAsset: sell.asset,
    sold: executed.soldMinor.toString(),
    fee: executed.feeMinor.toString(),
    buyWalletId: buy.walletId,
    buyAsset: buy.asset,
    bought: executed.boughtMinor.toString(),
    executedAt: executed.at.toISOString(),
  };
  return seal('causeway-exchange', claims);
}
