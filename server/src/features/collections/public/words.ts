import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { type TextValues, translate } from '../../../platform/text/texts.ts';
import { sayRate } from '../../rates/index.ts';
import type { Sum } from './model.ts';

/** Sentences, amounts and times in a payer's language. A server knows no time zone of a reader, so times are in UTC. */
export function wordsOf(locale: Locale) {
  const time = new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    locale,
    say: (name: string, values?: TextValues) => translate(locale, `pay.${name}`, values),
    sum: ({ amount, asset }: Sum) => `${sayAmountText(amount)} ${asset}`,
    /** In the digits that the console, receipts and mails have. */
    rate: (rate: string) => sayAmountText(sayRate(rate)),
    time: (at: string) => `${time.format(new Date(at))} UTC`,
    day: (on: string) => day.format(new Date(`${on}T00:00:00Z`)),
  };
}

export type Words = ReturnType<typeof wordsOf>;

/** A time that the page's script shows in the reader's own zone. */
export function timeElement(words: Words, at: string): Html {
  return html`<time datetime="${at}" data-local>${words.time(at)}</time>`;
}

/** An address in groups of four, its ends set apart: a copy of the element is the address alone. */
export function addressElement(address: string): Html {
  const groups = address.match(/.{1,4}/g) ?? [];
  const isEnd = (i: number) => i < 2 || i >= groups.length - 2;
  return html`<span class="address" data-address>${groups.map((group, i) => (isEnd(i) ? html`<b>${group}</b>` : html`<span>${group}</span>`))}</span>`;
}
