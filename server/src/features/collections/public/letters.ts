import type { Locale } from '@causeway/contract/locale.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import type { Letter } from '../../../platform/text/mail.ts';
import { translate } from '../../../platform/text/texts.ts';
import { countedPayments, isSome, paidAt, sumOf } from './model.ts';
import { receiptAmount } from './sheet.ts';
import { wordsOf } from './words.ts';

/** What a payer's mail is about: a new request, a reminder of one, or the receipt of what was paid. */
export type PayerMail = 'request' | 'reminder' | 'receipt';

/**
 * A mail to the payer of a request; pure. Where to send is said on the page alone: an address in a mail could be replaced on its way.
 * @param payer whom it addresses; empty: no one by name
 * @param url of the public page, absolute
 */
export function payerLetter(
  kind: PayerMail,
  view: PublicPaymentRequest,
  { locale, payer, url }: { locale: Locale; payer: string; url: string },
): Letter {
  const words = wordsOf(locale);
  const { say } = words;
  const values = { company: view.companyName, title: view.title };
  const isReceipt = kind === 'receipt';
  const mayStop = !isReceipt && view.remindersStopped === false;
  return {
    subject: say(`mail.${kind}.subject`, values),
    ...(payer !== '' && { greeting: translate(locale, 'mail.greetingTo', { name: payer }) }),
    paragraphs: [
      say(`mail.${kind}.text`, values),
      ...(!isReceipt && view.note !== '' ? [view.note] : []),
      say(isReceipt ? 'mail.receipt.hint' : 'mail.hint', values),
      ...(mayStop ? [say('mail.stop')] : []),
    ],
    facts: (isReceipt ? receiptFacts : openFacts)(words, view).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [{ label: say(name), value }],
    ),
    link: { label: say(isReceipt ? 'receipt' : 'mail.link'), url: linkOf(url, locale, isReceipt) },
  };
}

type Fact = [string, string | null];

function openFacts({ say, sum, time, day }: ReturnType<typeof wordsOf>, view: PublicPaymentRequest): Fact[] {
  const asked = sumOf(view, view.amount);
  const paid = isSome(view.paid) ? sumOf(view, view.paid) : null;
  const remaining = paid && sumOf(view, view.remaining);
  return [
    ['amount', asked ? sum(asked) : say('amountAny')],
    ['received', paid && sum(paid)],
    ['remaining', remaining && sum(remaining)],
    ['reference', view.reference],
    ['dueOn', view.dueOn && day(view.dueOn)],
    [view.pricing === 'currency' ? 'rateUntil' : 'expiresAt', view.expiresAt && time(view.expiresAt)],
  ];
}

function receiptFacts(words: ReturnType<typeof wordsOf>, view: PublicPaymentRequest): Fact[] {
  const at = paidAt(view);
  const hashes = countedPayments(view).flatMap(({ hash }) => hash ?? []);
  return [
    ['received', receiptAmount(words, view)],
    ['receipt.for', view.title],
    ['reference', view.reference],
    ['receipt.paidAt', at && words.time(at)],
    ['payment.hash', hashes.join(', ')],
  ];
}

function linkOf(url: string, locale: Locale, isReceipt: boolean): string {
  return `${url}${isReceipt ? '/receipt' : ''}?lang=${locale}`;
}
