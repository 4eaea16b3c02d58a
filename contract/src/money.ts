/**
 * Amounts. In the ledger an amount is a whole number of the asset's minor unit (`bigint`); on the wire and on screen
 * it is a plain decimal string in whole units ("12.50"). Nothing here ever rounds.
 */

export type AmountProblem = 'amount.format' | 'amount.tooManyDecimals' | 'amount.tooLarge';

export type ParsedAmount = { ok: true; minor: bigint } | { ok: false; problem: AmountProblem };

/** ASCII digits and one point, nothing else (decisions, "Amount rules"). */
const amountPattern = /^(\d+)(?:\.(\d+))?$/;

/** numeric(78,0) holds every uint256; a longer figure cannot be stored. */
const maxMinor = 10n ** 77n;

/** The longest amount text that can be valid: 60 digits, a point and 18 decimals. */
export const maxAmountLength = 79;

/** Turns "12.50" into minor units; more decimals than the asset has is a problem, never a rounding. */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  if (text.length > maxAmountLength) return { ok: false, problem: 'amount.tooLarge' };
  const match = amountPattern.exec(text);
  const whole = match?.[1];
  if (whole === undefined) return { ok: false, problem: 'amount.format' };
  const fraction = match?.[2] ?? '';
  if (fraction.length > decimals) return { ok: false, problem: 'amount.tooManyDecimals' };
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return minor >= maxMinor ? { ok: false, problem: 'amount.tooLarge' } : { ok: true, minor };
}

/** Minor units to the plain decimal string, with all of the asset's decimals ("12.500000" for USDT). */
export function formatAmount(minor: bigint, decimals: number): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${negative ? '-' : ''}${whole}${fraction}`;
}

/**
 * Minor units as a sentence says them: thousands set apart by commas (as all three languages do), insignificant zeros left
 * out beyond the second decimal ("25,000.00", "0.0015").
 */
export function sayAmount(minor: bigint, decimals: number): string {
  return sayAmountText(formatAmount(minor, decimals));
}

/**
 * The same of a plain decimal text in whole units. A text without decimals gets none, since what it counts may have none. Anything
 * else than an amount is returned as it is.
 */
export function sayAmountText(text: string): string {
  const match = /^(-?\d+)(?:\.(\d*))?$/.exec(text);
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null) return text;
  const isZero = /^-?0*$/.test(whole + fraction);
  const grouped = (isZero ? whole.replace('-', '') : whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const significant = fraction === '' ? '' : fraction.replace(/0+$/, '').padEnd(2, '0');
  return significant === '' ? grouped : `${grouped}.${significant}`;
}
