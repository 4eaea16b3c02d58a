import { dueOf, remainingOf } from '../domain.ts';
import { frozenFor, methodOf, type OptionRow } from '../store/requests.ts';
import { exactly } from '../values.ts';
import type { Known } from './reading.ts';

export interface Due {
  /** In the coin's minor units. */
  amountMinor: bigint;
  /** Units of the currency for one whole coin; null where the amount is in the coin. */
  rate: string | null;
  rateAt: Date | null;
}

/**
 * What is to be sent in one of the coins that a request accepts: what lacks, or of a reusable request its amount; in a currency by the rate of its
 * latest period, rounded up to what wallets can send. Null where the payer decides, nothing lacks, or it is below the minimum of deposits.
 */
export function dueIn({ row, standing, judgement, rates }: Known, option: OptionRow): Due | null {
  if (row.amountMinor === null) return null;
  const lack = row.kind === 'reusable' ? exactly(row.amountMinor) : remainingOf(standing, judgement);
  if (lack === null || lack <= 0n) return null;
  const amountMinor = dueOf(standing, methodOf(option, rates), lack);
  if (amountMinor === null) return null;
  const frozen = frozenFor(option.coin, rates);
  return { amountMinor, rate: frozen?.rate ?? null, rateAt: frozen?.rateAt ?? null };
}
