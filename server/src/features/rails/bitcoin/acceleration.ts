import type { LifeType } from '@causeway/contract/transactions-rules.ts';

/** A deposit that waits for a block is accelerated by a payment of this type (docs/adr/0091). */
export const accelerationType = 'chain_accelerate' as const satisfies LifeType;

/** What the company's process seals for the signer, when a member accelerates a deposit and each time the fee is raised. */
export interface AccelerationClaims {
  version: 1;
  companyId: string;
  transferId: string;
  chainId: string;
  /** The output of the deposit. */
  hash: string;
  index: number;
  /** The most that the miner gets: satoshis, as digits. */
  feeMinor: string;
  initiatorId: string;
  issuedAt: string;
}
