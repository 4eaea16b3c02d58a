import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** Elements of messages that are written, as text. */

export function inside(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

export function element(name: string, value: string): string {
  return inside(name, escaped(value));
}

/** A text that is neither empty nor too long: banks refuse a whole file for one. */
export function text(name: string, value: string, most: number): string {
  const length = [...value].length;
  invariant(value.trim() !== '' && length <= most, `${name} has 1 to ${most} characters, not ${length}`);
  return element(name, value);
}

/** ISO 20022 has room for 18 digits. */
const mostMinor = 10n ** 18n;

/** An amount in whole units with the decimals of its currency; `minor` is not negative. */
export function amountElement(name: string, currency: string, minor: bigint): string {
  invariant(minor >= 0n, `${name} has its sign beside it`);
  invariant(minor < mostMinor, `${name} has at most 18 digits`);
  return `<${name} Ccy="${escaped(currency)}">${formatAmount(minor, decimalsOf(currency))}</${name}>`;
}

export function decimalsOf(currency: string): number {
  const decimals = minorUnitsOf(currency);
  invariant(decimals !== null, `${currency} has minor units`);
  return decimals;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(value: string): string {
  invariant(!/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(value), 'a text has characters that XML has');
  return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
