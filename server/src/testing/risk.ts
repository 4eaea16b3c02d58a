import type { RiskSubject } from '../features/risk/index.ts';
import { newId } from '../platform/ids.ts';
import { randomAddress } from './company.ts';

/** A withdrawal of 100 USDT to a new address; `usd` sets quantity and value alike. */
export function riskSubject({ usd = 100, ...given }: Partial<RiskSubject> & { usd?: number } = {}): RiskSubject {
  return {
    id: newId(),
    business: 'crypto_withdrawal',
    chainId: 'ethereum',
    coin: 'USDT',
    quantityMinor: BigInt(Math.round(usd * 1_000_000)),
    decimals: 6,
    valueUsdCents: BigInt(Math.round(usd * 100)),
    currency: null,
    region: null,
    accountKind: 'crypto_address',
    account: randomAddress(),
    initiatorId: newId(),
    ...given,
  };
}
