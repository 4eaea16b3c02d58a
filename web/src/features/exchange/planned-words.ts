import type { StandingOrder } from '@causeway/contract/standing-orders.ts';
import type { Translate } from '../../lib/locale.tsx';
import { amountLine } from '../../ui/amount-parts.ts';

/** How much a standing order sells each time, in words. */
export function sayAmount(t: Translate, { rule, amount, sell }: StandingOrder): string {
  return t(`exchanges.planned.rule.${rule}`, { amount: amountLine(amount, sell.asset) });
}

/** When it runs, in words. */
export function sayWhen(t: Translate, { every, day, time, timeZone }: StandingOrder): string {
  const values = { day: every === 'week' ? t(`exchanges.weekday.${day}`) : day, time };
  return t('exchanges.planned.inZone', { when: t(`exchanges.planned.every.${every}`, values), zone: timeZone });
}
