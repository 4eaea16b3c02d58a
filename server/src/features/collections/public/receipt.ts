import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { html } from '../../../platform/text/html.ts';
import { documentOf } from './document.ts';
import { countedPayments, type PageChoice, paidAt, sumOf } from './model.ts';
import { factList, hashElement, pathOf } from './page.ts';
import { receiptAmount } from './sheet.ts';
import { timeElement, wordsOf } from './words.ts';

/** The receipt of a request that is settled, as a page to print. */
export function drawReceipt(token: string, view: PublicPaymentRequest, { locale, hash }: PageChoice): string {
  const words = wordsOf(locale);
  const { say, sum } = words;
  const asked = sumOf(view, view.amount);
  const at = paidAt(view);
  const payments = countedPayments(view).map((payment) => {
    const { coin, chainName: chain, amount } = payment;
    return html`<li>
<p class="row"><strong>${sayAmountText(amount)} ${coin}</strong><span class="muted">${say('method', { coin, chain })}</span></p>
<p class="row"><span class="muted">${timeElement(words, payment.at)}</span></p>
<p class="hash">${hashElement(words, payment)}</p></li>`;
  });
  const queryIn = (each: Locale) => `?${new URLSearchParams({ lang: each, ...(hash !== '' && { hash }) })}`;
  const query = queryIn(locale);
  return documentOf(words, {
    title: say('documentTitle', { title: say('receipt.title'), company: view.companyName }),
    company: view.companyName,
    body: html`<section class="card stack narrow">
<div><h1 class="muted">${say('receipt.title')}</h1><p class="figure">${receiptAmount(words, view)}</p>
<p class="state" data-tone="positive"><strong>${say('state.settled')}</strong></p></div>
${factList(words, [
  ['receipt.for', view.title],
  ['reference', view.reference],
  ['amount', asked && sum(asked)],
  ['receipt.paidAt', at && timeElement(words, at)],
  ['receipt.from', view.companyName],
])}
<ul class="payments">${payments}</ul>
<p class="actions"><a class="button" href="${pathOf(token, '/receipt.pdf')}${query}">${say('receipt.pdf')}</a><button type="button" data-print hidden>${say('print')}</button><a class="button" href="${pathOf(token)}${query}">${say('receipt.back')}</a></p>
</section>`,
    foot: [],
    inLanguage: (each) => `${pathOf(token, '/receipt')}${queryIn(each)}`,
  });
}
