import type { Locale } from '@causeway/contract/locale.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import type { Letter } from '../../../platform/text/mail.ts';
import { translate } from '../../../platform/text/texts.ts';
import { countedPayments, paidAt } from './model.ts';
import { receiptAmount } from './sheet.ts';
import { wordsOf } from './words.ts';

/**
 * The receipt of a settled request as a mail to its payer; pure.
 * @param payer whom it addresses; empty: no one by name
 * @param url of the public page, absolute
 */
export function receiptLetter(
  view: PublicPaymentRequest,
  { locale, payer, url }: { locale: Locale; payer: string; url: string },
): Letter {
  const words = wordsOf(locale);
  const { say } = words;
  const values = { company: view.companyName, title: view.title };
  const at = paidAt(view);
  const facts: [string, string | null][] = [
    ['received', receiptAmount(words, view)],
    ['receipt.for', view.title],
    ['reference', view.reference],
    ['receipt.paidAt', at && words.time(at)],
    [
      'payment.hash',
      countedPayments(view)
        .flatMap(({ hash }) => hash ?? [])
        .join(', '),
    ],
  ];
  return {
    subject: say('mail.receipt.subject', values),
    ...(payer !== '' && { greeting: translate(locale, 'mail.greetingTo', { name: payer }) }),
    paragraphs: [say('mail.receipt.text', values), say('mail.receipt.hint')],
    facts: facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ label: say(name), value }])),
    link: { label: say('receipt'), url: `${url}/receipt?lang=${locale}` },
  };
}
