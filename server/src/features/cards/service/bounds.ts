import type { CardBounds, CardLimits } from '@causeway/contract/cards-limits.ts';
import { cardLimitNames } from '@causeway/contract/cards-rules.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import type { Bounds, Limits } from '../domain.ts';

/** Bounds between the contract's whole units and minor units. */

/**
 * Reads what a form says.
 * @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, cardLimitsInvalid where a limit is nothing, or above one of a longer time
 */
export function readBounds({ limits, ...rest }: CardBounds, of: { asset: string; decimals: number }): Bounds {
  const read = Object.fromEntries(
    cardLimitNames.map((name) => [name, limits[name] === null ? null : amountOf(limits[name], of, `limits.${name}`)]),
  ) as Limits;
  let most: bigint | null = null;
  for (const name of cardLimitNames) {
    const limit = read[name];
    if (limit === null) continue;
    if (limit === 0n || (most !== null && limit < most)) throw refusal('cardLimitsInvalid', {}, `limits.${name}`);
    most = limit;
  }
  return { limits: read, ...rest };
}

export function sayLimits(limits: Limits, decimals: number): CardLimits {
  return Object.fromEntries(
    cardLimitNames.map((name) => [name, limits[name] === null ? null : formatAmount(limits[name], decimals)]),
  ) as CardLimits;
}

export function sayBounds({ limits, ...rest }: Bounds, decimals: number): CardBounds {
  return { limits: sayLimits(limits, decimals), ...rest };
}
