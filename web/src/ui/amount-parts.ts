import { sayAmountText } from '@causeway/contract/money.ts';

/** An amount cut for reading: sign, grouped whole part, the decimals that say something, the zeros that do not. */
export interface AmountParts {
  sign: '' | '−' | '+';
  whole: string;
  /** With its point; empty when there are no decimals. */
  significant: string;
  dimmed: string;
  /** Says that digits beyond `atMost` are not shown; empty when nothing is lost. */
  more: '' | '…';
}

const amount = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Cuts a plain decimal text ("-1234.500000") for display, without ever making a number of it. `atLeast` decimals stay
 * undimmed (2, so that 12.50 reads as money). `signed` puts a plus before what came in. Of more than `atMost` decimals the
 * rest is left out, never rounded.
 */
export function amountParts(
  text: string,
  options: { atLeast?: number; atMost?: number; signed?: boolean } = {},
): AmountParts | null {
  const match = amount.exec(text);
  if (match === null) return null;
  const [, minus, whole = '0', all = ''] = match;
  const fraction = all.slice(0, options.atMost);
  const rest = all.slice(fraction.length);
  const atLeast = Math.min(options.atLeast ?? 2, fraction.length);
  const lastDigit = fraction.replace(/0+$/, '').length;
  const more = /[1-9]/.test(rest);
  // Before digits that are not shown, a zero says something.
  const cut = more ? fraction.length : Math.max(lastDigit, atLeast);
  const zero = /^0+$/.test(whole + all);
  const sign = zero ? '' : minus === '-' ? '−' : options.signed ? '+' : '';
  return {
    sign,
    whole: whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ','),
    significant: cut === 0 ? '' : `.${fraction.slice(0, cut)}`,
    dimmed: cut === 0 && fraction !== '' ? `.${fraction}` : fraction.slice(cut),
    more: more ? '…' : '',
  };
}

/** The same as a sentence says it, as mails, receipts and errors do (`sayAmountText`): no zeros that say nothing. */
export function amountLine(text: string, coin?: string): string {
  if (!amount.test(text)) return text;
  const figure = sayAmountText(text).replace(/^-/, '−');
  return coin === undefined ? figure : `${figure} ${coin}`;
}

/** All of its digits in one line, for what is shown on hover. */
export function amountInFull(text: string, coin?: string): string {
  const parts = amountParts(text);
  const figure = parts === null ? text : `${parts.sign}${parts.whole}${parts.significant}${parts.dimmed}`;
  return coin === undefined ? figure : `${figure} ${coin}`;
}
