import type { Leg } from '../ledger/index.ts';
import type { Side } from './store/sides.ts';

/** Kinds of postings of exchanges. */
export const exchangePostings = { execute: 'exchange.execute' } as const;

/**
 * The legs of an exchange in the company's books (ADR 80): what is sold, with its fee, leaves the sold wallet, what is bought arrives in the other,
 * and the difference is what company and platform owe each other. `heldMinor`: what was held for it; what of it is not needed goes back. `into`: what is
 * bought for a payment is held for it at once.
 */
export function exchangeLegs(
  { sell, buy }: { sell: Side; buy: Side },
  { soldMinor, feeMinor, boughtMinor }: { soldMinor: bigint; feeMinor: bigint; boughtMinor: bigint },
  heldMinor = 0n,
  into: 'available' | 'outbound' = 'available',
): Leg[] {
  return [
    { accountId: sell.accounts.outbound, amountMinor: -heldMinor },
    { accountId: sell.accounts.available, amountMinor: heldMinor - soldMinor - feeMinor },
    { accountId: sell.accounts.fee, amountMinor: feeMinor },
    { accountId: sell.accounts.fx, amountMinor: soldMinor },
    { accountId: buy.accounts[into], amountMinor: boughtMinor },
    { accountId: buy.accounts.fx, amountMinor: -boughtMinor },
  ];
}
