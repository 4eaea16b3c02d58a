import type { BatchError } from '@causeway/contract/batches-rules.ts';
import { parseAmount, sayAmountText } from '@causeway/contract/money.ts';

/** What an amount is counted in; null: it is not known yet, and only its form can be read. */
export interface Counted {
  asset: string;
  decimals: number;
}

export type AmountRead = { minor: bigint } | { problem: BatchError; blanks: Record<string, string | number> };

/** Signs that people put before an amount, and what they can mean. */
const signs: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'HKD', 'SGD', 'AUD', 'CAD', 'NZD'],
  US$: ['USD'],
  HK$: ['HKD'],
  S$: ['SGD'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['CNY', 'JPY'],
};

/**
 * Reads an amount as people and spreadsheets write it: 1234.56, 1,234.56, 1.234,56, 1 234,56, 1'234.56. A point alone is a decimal point. A
 * comma alone before three digits separates thousands where the asset has no three decimals, and is refused elsewhere. Nothing is rounded.
 * `amongCommas`: other amounts beside it have a decimal comma, so that a point alone before three digits may separate thousands, too.
 */
export function readAmount(written: string, counted: Counted | null, amongCommas = false): AmountRead {
  const refuse = (problem: BatchError, blanks: Record<string, string | number> = {}): AmountRead => ({
    problem,
    blanks: { value: written, ...blanks },
  });
  const parts = partsOf(written);
  if (parts === null)
    return refuse(/^\s*[\d.,]+e[+-]?\d+\s*$/i.test(written.normalize('NFKC')) ? 'amountScientific' : 'amountFormat');
  const { before, figure, after } = parts;
  if (before !== undefined && after !== undefined) return refuse('amountFormat');
  const unit = (before ?? after)?.toUpperCase();
  if (unit !== undefined && counted !== null) {
    const meant = signs[unit] ?? [unit];
    if (!meant.includes(counted.asset)) return refuse('amountOtherAsset', { asset: counted.asset });
  }
  const readings = [...new Set([pointed(figure), commaed(figure)].filter((each) => each !== null))];
  const possible = readings.filter((text) => counted === null || decimalsOf(text) <= counted.decimals);
  const [first, second] = possible.length > 0 ? possible : readings;
  if (first === undefined) return refuse('amountFormat');
  if (second !== undefined && (amongCommas || !isPlain(figure))) {
    return refuse('amountAmbiguous', { first: sayAmountText(first), second: sayAmountText(second) });
  }
  // A plain figure that only the other reading fits: 1.234 of a currency with two decimals.
  if (isPlain(figure) && first !== normal(figure)) {
    return refuse('amountAmbiguous', { first: normal(figure), second: sayAmountText(first) });
  }
  const parsed = parseAmount(first, counted?.decimals ?? 18);
  if (!parsed.ok) {
    if (parsed.problem === 'amount.tooLarge') return refuse('amountTooLarge');
    const { asset = '', decimals = 18 } = counted ?? {};
    return refuse('amountTooManyDecimals', { asset, decimals });
  }
  return parsed.minor === 0n ? refuse('amountZero') : { minor: parsed.minor };
}

/** Whether an amount has a decimal comma, or points between thousands, however it is read: 120,50 or 1.234.567. */
export function hasDecimalComma(written: string): boolean {
  const figure = partsOf(written)?.figure ?? '';
  return pointed(figure) === null && commaed(figure) !== null;
}

/** Whether an amount has a point that could be a decimal point, or separate thousands: 1.500. */
export function hasLonePoint(written: string): boolean {
  const figure = partsOf(written)?.figure ?? '';
  return isPlain(figure) && figure.includes('.') && commaed(figure) !== null;
}

interface AmountParts {
  /** What is before and after the figure: a sign or code of a currency. */
  before: string | undefined;
  figure: string;
  after: string | undefined;
}

function partsOf(written: string): AmountParts | null {
  const value = written.normalize('NFKC').trim();
  const parts = /^([A-Za-z]{0,9}[$€£¥]|[A-Za-z]{2,10})?\s*([\d.,'’\s]*\d)\s*([A-Za-z]{2,10}|[€£¥])?$/.exec(value);
  return parts && { before: parts[1], figure: parts[2] ?? '', after: parts[3] };
}

function isPlain(figure: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(figure);
}

/** Digits, with a point before decimals; groups of three set apart by comma, apostrophe or space. */
function pointed(figure: string): string | null {
  if (isPlain(figure)) return normal(figure);
  const grouped = /^([1-9]\d{0,2}(?:([,'’ ])\d{3})(?:\2\d{3})*)(?:\.(\d+))?$/.exec(spaced(figure));
  return grouped ? joined(grouped[1] ?? '', grouped[3]) : null;
}

/** The same with a comma before decimals, and points between groups. */
function commaed(figure: string): string | null {
  const plain = /^(\d+)(?:,(\d+))$/.exec(figure);
  if (plain) return joined(plain[1] ?? '', plain[2]);
  const grouped = /^([1-9]\d{0,2}(?:([.'’ ])\d{3})(?:\2\d{3})*)(?:,(\d+))?$/.exec(spaced(figure));
  return grouped ? joined(grouped[1] ?? '', grouped[3]) : null;
}

function spaced(figure: string): string {
  return figure.replaceAll(/\s/g, ' ');
}

function joined(whole: string, fraction: string | undefined): string {
  return normal(whole.replaceAll(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`));
}

/** Without zeros before it. */
function normal(figure: string): string {
  return figure.replace(/^0+(?=\d)/, '');
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}
