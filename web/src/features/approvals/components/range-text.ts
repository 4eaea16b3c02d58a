import type { Translate } from '../../../lib/locale.tsx';

/** The amounts that a rule covers, in US dollars: lower ≤ value < upper. */
export function rangeText({ lower, upper }: { lower: string; upper: string | null }, t: Translate): string {
  return upper === null ? t('approvals.range.open', { lower }) : t('approvals.range', { lower, upper });
}
