import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { StandingContent } from '@causeway/contract/standing-orders.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { CodeFact } from '../../identity/index.ts';
import type { Sides } from '../store/sides.ts';

/** The id of the sentence that says why a turn was refused. */
export function sentenceId(error: string): string {
  // What a submission says of it is in its reader's language, and a turn has no reader yet.
  return error === 'riskRefused' ? 'exchange.standing.riskRefused' : `error.${error}`;
}

/** The facts of an order that the mail with its code repeats. */
export function factsOf(
  { rule, every, day, time, lastDay }: StandingContent,
  { sell, buy }: Sides,
  amountMinor: bigint,
  locale: Locale,
): CodeFact[] {
  const fact = (name: string, value: string, headline?: string): CodeFact => ({
    label: translate(locale, `exchange.standing.${name}`),
    value,
    ...(headline !== undefined && { headline }),
  });
  const amount = translate(locale, `exchange.standing.rule.${rule}`, {
    amount: `${sayAmount(amountMinor, sell.decimals)} ${sell.asset}`,
  });
  const named = every === 'week' ? translate(locale, `exchange.standing.weekday.${day}`) : day;
  return [
    fact('sells', amount, amount),
    fact('buys', buy.asset, buy.asset),
    fact('when', translate(locale, `exchange.standing.every.${every}`, { day: named, time })),
    ...(lastDay === null ? [] : [fact('lastDay', lastDay)]),
    fact('from', nameOfPlace(sell.place, locale)),
    fact('to', nameOfPlace(buy.place, locale)),
  ];
}
