import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import type { WhitelistLimits } from '@causeway/contract/risk-lists.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { LimitCents } from '../store/lists.ts';

/** US dollars as the contract has them ("12.50") and as they are kept (cents). */

function centsOf(usd: string): bigint {
  const parsed = parseAmount(usd, 2);
  invariant(parsed.ok, 'the contract lets amounts in US dollars have two decimals');
  return parsed.minor;
}

export function usdOf(cents: bigint): string {
  return formatAmount(cents, 2);
}

export function limitCents(limits: WhitelistLimits): LimitCents {
  return { single: centsOf(limits.single), daily: centsOf(limits.daily), cumulative: centsOf(limits.cumulative) };
}

export function shownLimits(limits: LimitCents): { single: string; daily: string; cumulative: string } {
  return { single: usdOf(limits.single), daily: usdOf(limits.daily), cumulative: usdOf(limits.cumulative) };
}
