import { remainingOf } from '../domain.ts';
import type { OptionRow, RateRow } from '../store/requests.ts';
import { coinFor, wholeAtLeast } from '../values.ts';
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
 * latest period, rounded up to a whole minor unit of the coin. Null where the payer decides, or nothing lacks.
 */
export function dueIn(
  { row, standing, judgement }: Known,
  { coin, decimals }: Pick<OptionRow, 'coin' | 'decimals'>,
  rates: readonly RateRow[],
): Due | null {
  if (row.amountMinor === null) return null;
  if (row.kind === 'reusable') return { amountMinor: row.amountMinor, rate: null, rateAt: null };
  const rest = remainingOf(standing, judgement);
  if (rest === null || rest <= 0n) return null;
  if (row.pricing === 'coin') return { amountMinor: wholeAtLeast(rest), rate: null, rateAt: null };
  // The latest period is first.
  const frozen = rates.find((each) => each.coin === coin);
  if (!frozen || row.decimals === null) return null;
  const { rate, rateAt } = frozen;
  return { amountMinor: coinFor(rest, decimals, rate, row.decimals), rate, rateAt };
}
