import type { PayoutSchedule } from '@causeway/contract/payout-templates.ts';
import { dayOf } from '../../lib/days.ts';
import type { Formats } from '../../lib/format.ts';
import type { Translate } from '../../lib/locale.tsx';

/** A calendar day in the reader's order; a zone does not move it. */
export function sayDay(formats: Formats, day: string): string {
  return formats.date(dayOf(day).toISOString());
}

/** On which days a schedule pays. */
export function sayPayDays(
  t: Translate,
  { every, day, weekend }: Pick<PayoutSchedule, 'every' | 'day' | 'weekend'>,
): string {
  const days =
    every === 'week'
      ? t('batches.templates.when.week', { day: t(`batches.templates.weekday.${day}`) })
      : t('batches.templates.when.month', { day });
  return weekend === 'stay' ? days : t(`batches.templates.when.${weekend}`, { days });
}
