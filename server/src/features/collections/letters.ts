import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmountText } from '@causeway/contract/money.ts';
import { sayDay } from '../../platform/text/instant.ts';
import type { Letter } from '../../platform/text/mail.ts';
import { translate } from '../../platform/text/texts.ts';
import { remainingOf } from './domain.ts';
import { payerLink } from './links.ts';
import type { Known } from './service/reading.ts';
import { wholeAtLeast, wholeOf } from './values.ts';

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
  const dueOn = row.dueOn === null ? null : sayDay(row.dueOn, locale);
  const when = day === null ? 'request' : day < 0 ? 'before' : day === 0 ? 'today' : 'after';
  const facts = [
    ['title', row.title],
    ['reference', row.reference],
    ...amountsOf({ row, standing, judgement }),
    ['dueOn', dueOn],
    ['note', row.note],
  ] as const;
  return {
    subject: say(`subject.${when}`, { company: companyName, title: row.title }),
    ...(row.payerName === null || row.payerName === '' ? {} : { greeting: say('greeting', { name: row.payerName }) }),
    paragraphs: [
      say(`body.${when}`, { company: companyName, days: Math.abs(day ?? 0), dueOn: dueOn ?? '' }),
      ...(day !== null || row.reminderDays.length > 0 ? [say('stop')] : []),
    ],
    facts: facts.flatMap(([label, value]) => (value ? [{ label: say(label), value }] : [])),
    link: { label: say('link'), url: `${payerLink(publicUrl, row.token)}?lang=${locale}` },
  };
}

/** What was asked, and of a request that is paid in part what has come, is being confirmed, and lacks. */
function amountsOf({ row, standing, judgement }: Pick<Known, 'row' | 'standing' | 'judgement'>) {
  const sum = (minor: bigint | null) =>
    minor === null || minor === 0n ? null : `${sayAmountText(formatAmount(minor, row.decimals ?? 0))} ${row.asset}`;
  const { paid, pending } = judgement;
  const rest = remainingOf(standing, judgement);
  const isPart = rest !== null && paid + pending > 0n;
  return [
    ['amount', sum(row.amountMinor)],
    ['received', isPart ? sum(wholeOf(paid)) : null],
    ['pending', isPart ? sum(wholeOf(paid + pending) - wholeOf(paid)) : null],
    ['remaining', isPart ? sum(wholeAtLeast(rest)) : null],
  ] as const;
}
