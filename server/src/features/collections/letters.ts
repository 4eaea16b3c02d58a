import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmountText } from '@causeway/contract/money.ts';
import { sayDay } from '../../platform/text/instant.ts';
import type { Letter } from '../../platform/text/mail.ts';
import { translate } from '../../platform/text/texts.ts';
import { remainingOf } from './domain.ts';
import { payerLink } from './links.ts';
import type { Known } from './service/reading.ts';
import { wholeAtLeast } from './values.ts';

/** What a payer is mailed, in the payer's language. */
export interface LetterFacts {
  locale: Locale;
  companyName: string;
  publicUrl: string;
  /** Days from the due date; null: sent by hand. */
  day: number | null;
}

export function letterOf(
  { row, standing, judgement }: Pick<Known, 'row' | 'standing' | 'judgement'>,
  { locale, companyName, publicUrl, day }: LetterFacts,
): Letter {
  const say = (name: string, values: Record<string, string | number> = {}) =>
    translate(locale, `collections.mail.${name}`, values);
  const rest = remainingOf(standing, judgement);
  const amountMinor = rest === null ? row.amountMinor : wholeAtLeast(rest);
  const amount =
    amountMinor === null ? null : `${sayAmountText(formatAmount(amountMinor, row.decimals ?? 0))} ${row.asset}`;
  const dueOn = row.dueOn === null ? null : sayDay(row.dueOn, locale);
  const when = day === null ? 'request' : day < 0 ? 'before' : day === 0 ? 'today' : 'after';
  const facts = [
    ['title', row.title],
    ['reference', row.reference],
    ['amount', amount],
    ['dueOn', dueOn],
    ['note', row.note],
  ] as const;
  return {
    subject: say(`subject.${when}`, { company: companyName, title: row.title }),
    ...(row.payerName === null || row.payerName === '' ? {} : { greeting: say('greeting', { name: row.payerName }) }),
    paragraphs: [
      say(`body.${when}`, { company: companyName, days: Math.abs(day ?? 0), dueOn: dueOn ?? '' }),
      say('stop'),
    ],
    facts: facts.flatMap(([label, value]) => (value ? [{ label: say(label), value }] : [])),
    link: { label: say('link'), url: `${payerLink(publicUrl, row.token)}?lang=${locale}` },
  };
}
