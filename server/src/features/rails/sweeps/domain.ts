import type { LifeType } from '@causeway/contract/transactions-rules.ts';

/** Sweeps: coins that reached a further address of a company move to its account (docs/adr/0099). Pure rules. */

/** The type of the transaction that moves them. */
export const sweepType = 'chain_sweep' as const satisfies LifeType;

/** What the books say of a wallet's coins at one further address, in minor units. */
export interface UnsweptAddress {
  address: string;
  /** Credited deposits less completed sweeps; negative where a reorganisation took back a deposit that was swept. */
  lyingMinor: bigint;
  /** What sweeps under way take of it. */
  underWayMinor: bigint;
  /** A sweep of it failed a moment ago: it would fail again, and cost another network fee. */
  rests: boolean;
}

/** What of an address is to be swept now; 0n for nothing. One sweep of an address at a time. */
export function dueOf({ lyingMinor, underWayMinor, rests }: UnsweptAddress, leastMinor: bigint): bigint {
  if (rests || underWayMinor > 0n || lyingMinor <= 0n) return 0n;
  return lyingMinor >= leastMinor ? lyingMinor : 0n;
}
