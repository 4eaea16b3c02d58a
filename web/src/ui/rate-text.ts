import { amountLine } from './amount-parts.ts';

/** What mails and receipts round a rate to (`sayRate` on the server). */
const shownDigits = 8;

/** A rate for reading: at most eight significant digits, half-up, grouped; never made a number of. What is no plain decimal stays as it is. */
export function rateText(rate: string): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(rate);
  if (match === null) return rate;
  const [, whole = '0', decimals = ''] = match;
  const digits = (whole + decimals).replace(/^0+/, '');
  const dropped = Math.min(digits.length - shownDigits, decimals.length);
  if (dropped <= 0) return amountLine(rate);
  const unit = 10n ** BigInt(dropped);
  const rounded = (BigInt(whole + decimals) * 2n + unit) / (2n * unit);
  const places = decimals.length - dropped;
  const text = rounded.toString().padStart(places + 1, '0');
  return amountLine(places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
}
