import { sayAmountText } from '@causeway/contract/money.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { countedPayments, isSome, type PayerPayment, paidAt, shownState, sumOf } from './model.ts';
import { qrPathOf } from './qr.ts';
import type { SheetContent } from './sheet-pdf.ts';
import type { Words } from './words.ts';

/** What the PDFs of a request and of its receipt say. */

type Row = SheetContent['rows'][number];

function rowsOf({ say }: Words, facts: readonly [string, string | null][]): Row[] {
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ label: say(name), value }]));
}

/** @param url of the public page; `now` ISO 8601 */
export function requestSheet(words: Words, view: PublicPaymentRequest, url: string, now: string): SheetContent {
  const { say, sum, time, day } = words;
  const [asked, paid, remaining] = [view.amount, view.paid, view.remaining].map((amount) => sumOf(view, amount));
  return {
    title: say('heading'),
    company: view.companyName,
    status: view.title,
    amount: asked ? sum(asked) : say('amountAny'),
    rows: rowsOf(words, [
      ['reference', view.reference],
      ['dueOn', view.dueOn && day(view.dueOn)],
      ['received', paid && isSome(view.paid) ? sum(paid) : null],
      ['remaining', remaining && isSome(view.paid) ? sum(remaining) : null],
      [view.pricing === 'currency' ? 'rateUntil' : 'expiresAt', view.expiresAt && time(view.expiresAt)],
      ['note', view.note],
      ['link', url],
    ]),
    blocks: view.options.map((method) => {
      const { coin, chainName: chain, amount, rate, address, uri } = method;
      return {
        title: say('method', { coin, chain }),
        qr: qrPathOf(uri),
        rows: [
          ...rowsOf(words, [
            [amount === null ? 'sendAny' : 'send', amount === null ? ' ' : `${sayAmountText(amount)} ${coin}`],
            ['rate', rate && say('rateIs', { coin, rate: words.rate(rate), currency: view.asset ?? '' })],
            ['address', address],
          ]),
        ],
        note: say('warning.coin', { coin, chain }),
      };
    }),
    notes: [
      ...(view.isPayable ? [] : [say(`state.${shownState(view)}`, { company: view.companyName, amount: '' })]),
      say('sheet.current'),
    ],
    footer: say('receipt.footer', { company: view.companyName, time: time(now) }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
}

export function receiptSheet(words: Words, view: PublicPaymentRequest, now: string): SheetContent {
  const { say, sum, time } = words;
  const asked = sumOf(view, view.amount);
  const at = paidAt(view);
  return {
    title: say('receipt.title'),
    company: view.companyName,
    status: say('state.settled'),
    amount: receiptAmount(words, view),
    rows: [
      ...rowsOf(words, [
        ['receipt.for', view.title],
        ['reference', view.reference],
        ['amount', asked && sum(asked)],
        ['receipt.paidAt', at && time(at)],
      ]),
      ...countedPayments(view).flatMap((payment) => paymentRows(words, payment)),
    ],
    blocks: [],
    notes: [],
    footer: say('receipt.footer', { company: view.companyName, time: time(now) }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
}

/** What arrived: in the asset that was asked for or, of a reusable request, coin by coin. */
export function receiptAmount({ sum }: Words, view: PublicPaymentRequest): string {
  const paid = sumOf(view, view.paid);
  if (paid !== null) return sum(paid);
  return countedPayments(view)
    .map(({ amount, coin }) => sum({ amount, asset: coin }))
    .join(' + ');
}

function paymentRows(words: Words, { amount, coin, chainName: chain, at, hash }: PayerPayment): Row[] {
  const { say, sum, time } = words;
  const paid = `${sum({ amount, asset: coin })} · ${say('method', { coin, chain })}`;
  return rowsOf(words, [
    ['receipt.payment', paid],
    ['payment.at', time(at)],
    ['payment.hash', hash],
  ]);
}
