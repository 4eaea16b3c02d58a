import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { documentOf } from './document.ts';
import {
  hasReceipt,
  isSamePlace,
  isSome,
  methodId,
  type PageChoice,
  type PayerPayment,
  type PayMethod,
  type ShownState,
  type Sum,
  shortOf,
  shownState,
  sumOf,
} from './model.ts';
import { qrPathOf } from './qr.ts';
import { addressElement, timeElement, type Words, wordsOf } from './words.ts';

/** Where a page of a request is: its own address, or one below it. */
export function pathOf(token: string, below = ''): string {
  return `/pay/${token}${below}`;
}

interface Shown {
  view: PublicPaymentRequest;
  choice: PageChoice;
  token: string;
  words: Words;
}

/** The public page of a payment request as HTML, complete without any script. The parts marked `data-live` are replaced as they change. */
export function drawPage(token: string, view: PublicPaymentRequest, choice: PageChoice): string {
  const words = wordsOf(choice.locale);
  const { say } = words;
  const shown: Shown = { view, choice, token, words };
  const isWaiting = view.isPayable || view.state === 'processing' || view.state === 'preparing';
  return documentOf(words, {
    title: say('documentTitle', { title: view.title, company: view.companyName }),
    company: view.companyName,
    poll: isWaiting ? 'fast' : 'slow',
    body: html`<div class="columns"><div>${factsPart(shown)}</div><div>${statePart(shown)}${payPart(shown)}${paymentsPart(shown)}</div></div>${remindersPart(shown)}`,
    foot: [say('footer')],
    inLanguage: (locale) => linkTo(shown, { locale }),
  });
}

function linkTo({ token, choice }: Shown, change: Partial<PageChoice>): string {
  const { locale, method, qr, hash } = { ...choice, ...change };
  const query = new URLSearchParams({ lang: locale });
  if (method !== null) query.set('method', methodId(method));
  if (qr === 'address') query.set('qr', qr);
  if (hash !== '') query.set('hash', hash);
  return `${pathOf(token)}?${query}`;
}

function factsPart({ view, words, token, choice }: Shown): Html {
  const { say, sum } = words;
  const asked = sumOf(view, view.amount);
  const hasExpiry = view.isPayable || view.state === 'expired';
  const sumText = (of: Sum | null) => of && sum(of);
  const facts: [string, Html | string | null][] = [
    ['reference', view.reference],
    ['dueOn', view.dueOn && words.day(view.dueOn)],
    ['received', isSome(view.paid) ? sumText(sumOf(view, view.paid)) : null],
    ['pending', isSome(view.pending) ? sumText(sumOf(view, view.pending)) : null],
    [
      'remaining',
      isSome(view.remaining) && view.remaining !== view.amount ? sumText(sumOf(view, view.remaining)) : null,
    ],
    [
      view.pricing === 'currency' && view.isPayable ? 'rateUntil' : 'expiresAt',
      hasExpiry && view.expiresAt ? timeElement(words, view.expiresAt) : null,
    ],
  ];
  const pdf = `${pathOf(token, '/request.pdf')}?lang=${choice.locale}`;
  return html`<section class="card stack" id="facts" data-live aria-labelledby="title">
<div><p class="muted">${say('heading')}</p><h1 class="title" id="title">${view.title}</h1>
<p class="figure">${asked === null ? say('amountAny') : sum(asked)}</p></div>
${view.note !== '' && html`<p class="note">${view.note}</p>`}
${factList(words, facts)}
${view.isPayable && html`<p class="actions"><a class="button" id="pdf" href="${pdf}">${say('pdf')}</a></p>`}
</section>`;
}

/** Those that have a value, as a list of terms. */
export function factList(words: Words, facts: readonly [string, Html | string | null][]): Html | null {
  const known = facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [html`<dt>${words.say(name)}</dt><dd>${value}</dd>`],
  );
  return known.length === 0 ? null : html`<dl>${known}</dl>`;
}

const tones: Record<ShownState, string> = {
  preparing: 'neutral',
  open: 'neutral',
  partial: 'pending',
  reusable: 'neutral',
  processing: 'pending',
  settled: 'positive',
  expired: 'negative',
  cancelled: 'negative',
  unresolved: 'pending',
};

function statePart(shown: Shown): Html {
  const { view, words } = shown;
  const { say, sum } = words;
  const state = shownState(view);
  const until = view.isPayable ? view.expiresAt : null;
  const remaining = sumOf(view, view.remaining);
  const values = { company: view.companyName, amount: remaining === null ? '' : sum(remaining) };
  const text = state === 'partial' && isSamePlace(view) ? 'partialSameText' : `${state}Text`;
  const hasText = state !== 'open' && state !== 'reusable';
  return html`<section class="state" id="state" data-live data-tone="${tones[state]}" aria-live="polite">
<strong>${say(`state.${state}`, values)}</strong>
${hasText && html`<p>${say(`state.${text}`, values)}</p>`}
${view.causes.map((cause) => html`<p>${say(`cause.${cause}`)}</p>`)}
${until !== null && html`<p class="small" aria-live="off" data-until="${until}" data-left="${say('left', { time: '{time}' })}" data-days="${say('days', { days: '{days}' })}" role="timer" hidden></p>`}
${view.kind === 'single' && hasReceipt(view) && receiptLinks(shown)}
</section>`;
}

/** The receipt as a page and as a file; of a reusable request, of the payment that the reader named. */
function receiptLinks({ words: { say }, token, choice }: Shown): Html {
  const query = new URLSearchParams({ lang: choice.locale, ...(choice.hash !== '' && { hash: choice.hash }) });
  const to = (below: string) => `${pathOf(token, below)}?${query}`;
  return html`<p class="actions"><a class="button" id="receipt" href="${to('/receipt')}">${say('receipt')}</a><a class="button" id="receipt-pdf" href="${to('/receipt.pdf')}">${say('receipt.pdf')}</a></p>`;
}

function payPart(shown: Shown): Html {
  const { view, choice } = shown;
  if (view.options.length === 0) return html`<section id="pay" data-live></section>`;
  return html`<section class="card stack" id="pay" data-live>${choice.method === null ? choices(shown) : details(shown, choice.method)}</section>`;
}

function choices(shown: Shown): Html {
  const { say } = shown.words;
  const items = shown.view.options.map(
    (method) => html`<li><a id="method-${methodId(method)}" href="${linkTo(shown, { method })}">
<span><strong>${method.coin}</strong><span class="muted">${say('choose.on', { chain: method.chainName })}</span></span>
${method.amount === null ? null : html`<span class="amount">${sayAmountText(method.amount)} ${method.coin}</span>`}</a></li>`,
  );
  return html`<div><h2>${say('choose.title')}</h2><p class="muted">${say('choose.text')}</p></div><ul class="choices">${items}</ul>`;
}

function details(shown: Shown, method: PayMethod): Html {
  const { view, words } = shown;
  const { say } = words;
  const { coin, chainName: chain, amount, rate, address } = method;
  const name = say('method', { coin, chain });
  return html`<div class="chosen"><h2>${name}</h2>${
    view.options.length > 1 &&
    html`<a id="change" href="${linkTo(shown, { method: null })}">${say('choose.change')}</a>`
  }</div>
${qrPart(shown, method)}
<div><span class="label">${say(amount === null ? 'sendAny' : 'send')}</span>${
    amount !== null &&
    html`<p class="value"><output>${sayAmountText(amount)} ${coin}</output>${copyButton(words, 'copy-amount', shortOf(amount), 'copyAmount')}</p>`
  }${
    rate !== null &&
    view.asset !== null &&
    html`<p class="small muted">${say('rateIs', { coin, rate: words.rate(rate), currency: view.asset })}</p>`
  }</div>
<div><span class="label">${say('address')}</span><p class="value">${addressElement(address)}${copyButton(words, 'copy-address', address, 'copyAddress')}</p></div>
<p class="actions"><a class="button primary" id="open" href="${method.uri}">${say('open')}</a></p>
<div class="state small" data-tone="pending"><p>${say('warning.coin', { coin, chain })}</p>${amount !== null && html`<p>${say('warning.fee')}</p>`}</div>
<noscript><p class="small muted">${say('refresh')}</p></noscript>`;
}

function qrPart(shown: Shown, method: PayMethod): Html {
  const { say } = shown.words;
  const { qr } = shown.choice;
  // Many exchanges and wallets read an address alone.
  const { size, path } = qrPathOf(qr === 'address' ? method.address : method.uri);
  const tab = (each: PageChoice['qr']) =>
    each === qr
      ? html`<span aria-current="true">${say(`qr.${each}`)}</span>`
      : html`<a id="qr-${each}" href="${linkTo(shown, { qr: each })}">${say(`qr.${each}`)}</a>`;
  const label = say(qr === 'address' ? 'qr.ofAddress' : 'qr.ofPayment');
  return html`<div><div class="qr"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${path}" fill="#000"/></svg></div>
<nav class="tabs" aria-label="${say('qr.choice')}">${tab('payment')}${tab('address')}</nav></div>`;
}

function copyButton({ say }: Words, id: string, text: string, label: string): Html {
  return html`<button type="button" id="${id}" data-copy="${text}" data-copied="${say('copied')}" hidden>${say(label)}</button>`;
}

function paymentsPart(shown: Shown): Html {
  const { view, words, token, choice } = shown;
  const { say } = words;
  const isReusable = view.kind === 'reusable';
  if (!isReusable && view.received.length === 0) return html`<section id="payments" data-live></section>`;
  const items = view.received.map((payment) => paymentItem(words, payment));
  const search = html`<form class="find" action="${pathOf(token)}" method="get"><input type="hidden" name="lang" value="${choice.locale}">
<label class="label" for="hash">${say('find.label')}</label>
<p class="row"><input id="hash" name="hash" value="${choice.hash}" autocomplete="off" spellcheck="false" required pattern="(0x)?[0-9a-fA-F]{64}" title="${say('find.title')}"><button type="submit" id="find">${say('find.find')}</button></p></form>
${choice.hash !== '' && items.length === 0 && html`<p class="muted" role="status">${say('find.none')}</p>`}`;
  return html`<section class="card stack" id="payments" data-live><h2>${say(isReusable ? 'find.heading' : 'payments')}</h2>
${isReusable && search}${items.length > 0 && html`<ul class="payments">${items}</ul>`}
${isReusable && hasReceipt(view) && receiptLinks(shown)}</section>`;
}

/** With a form that needs no script: a link alone would be followed by the scanners of mail servers. */
function remindersPart({ view, words: { say }, token, choice }: Shown): Html {
  const isOver = ['settled', 'expired', 'cancelled'].includes(view.state);
  if (view.remindersStopped === null || (isOver && !view.remindersStopped))
    return html`<section id="reminders" data-live></section>`;
  const action = `${pathOf(token, '/stop-reminders')}?lang=${choice.locale}`;
  return html`<section class="small muted" id="reminders" data-live>${
    view.remindersStopped
      ? html`<p role="status">${say('reminders.stopped')}</p>`
      : html`<form action="${action}" method="post"><p class="row"><span>${say('reminders.text')}</span><button type="submit" id="stop-reminders">${say('reminders.stop')}</button></p></form>`
  }</section>`;
}

function paymentItem(words: Words, payment: PayerPayment): Html {
  const { say } = words;
  const { coin, chainName: chain, amount, state, confirmations: count, confirmationsNeeded: needed } = payment;
  const remarks = [!payment.isAccepted && say('payment.coin'), payment.isLate && say('payment.late')].filter(
    (remark) => remark !== false,
  );
  const progress = state === 'seen' && count > 0 ? say('payment.seen', { count, needed }) : say('payment.waiting');
  return html`<li><p class="row"><strong>${sayAmountText(amount)} ${coin}</strong><span class="muted">${say('method', { coin, chain })}</span></p>
<p class="row"><span>${state === 'seen' ? progress : say(`payment.${state}`)}</span><span class="muted">${timeElement(words, payment.at)}</span></p>
${state === 'seen' && html`<progress max="${needed}" value="${Math.min(count, needed)}" aria-label="${progress}"></progress>`}
${remarks.map((remark) => html`<p class="small">${remark}</p>`)}
<p class="hash">${hashElement(words, payment)}</p></li>`;
}

/** The hash, as a link where the chain has an explorer. */
export function hashElement({ say }: Words, { hash, explorerUrl }: PayerPayment): Html | null {
  if (hash === null || explorerUrl === null) return hash === null ? null : html`${hash}`;
  return html`<a href="${explorerUrl}" rel="noopener noreferrer" aria-label="${say('explorer')}: ${hash}">${hash}</a>`;
}

/** A page that says one thing, such as that there is no request under an address. */
export function drawMessage(locale: Locale, name: 'notFound' | 'busy' | 'unsubscribed', path: string): string {
  const words = wordsOf(locale);
  const { say } = words;
  return documentOf(words, {
    title: say(`${name}.title`),
    company: say('heading'),
    body: html`<section class="card stack"><h1 class="title">${say(`${name}.title`)}</h1><p>${say(`${name}.text`)}</p></section>`,
    foot: [],
    inLanguage: (each) => `${path}?lang=${each}`,
  });
}
