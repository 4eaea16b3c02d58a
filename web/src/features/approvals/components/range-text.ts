import type { Translate } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';

/** The amounts that a rule covers, in US dollars: lower ≤ value < upper. */
export function rangeText({ lower, upper }: { lower: string; upper: string | null }, t: Translate): string {
  const from = amountLine(lower);
  return upper === null
    ? t('approvals.range.open', { lower: from })
    : t('approvals.range', { lower: from, upper: amountLine(upper) });
}
