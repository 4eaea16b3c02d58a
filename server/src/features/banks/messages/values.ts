import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { BankFileError } from './problem.ts';
import type { XmlElement } from './xml.ts';

/** Reads values of kept elements; whatever breaks the schema is refused with the path of the element. */

/** An exact amount: `minor` in the currency's minor units (ISO 4217), never negative. */
export interface Money {
  currency: string;
  minor: bigint;
}

/**
 * An amount that informs and is never booked (what was instructed, a counter value): a plain decimal text in whole units with the
 * up to five decimals that ISO 20022 allows, whatever the currency has.
 */
export interface StatedAmount {
  currency: string;
  amount: string;
}

/** A calendar date as the bank wrote it (`2026-11-23`), with its date and time where the bank gave one, in its own offset. */
export interface BankDate {
  date: string;
  dateTime: string | null;
}

export type Direction = 'credit' | 'debit';

/** A code of a list that ISO 20022 publishes, or a bank's own. */
export interface Code {
  code: string;
  isProprietary: boolean;
}

/** @throws BankFileError twice: the schema has it once, and which of two is meant cannot be known */
export function child(element: XmlElement, name: string): XmlElement | null {
  const found = element.children.filter((inner) => inner.name === name);
  const second = found[1];
  if (second) throw new BankFileError('twice', { path: second.path });
  return found[0] ?? null;
}

export function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((inner) => inner.name === name);
}

/** @throws BankFileError missing, twice */
export function needed(element: XmlElement, name: string): XmlElement {
  const found = child(element, name);
  if (!found) throw new BankFileError('missing', { path: `${element.path}/${name}` });
  return found;
}

/** The element at the end of a way of names, each of them at most once. */
export function at(element: XmlElement | null, ...names: string[]): XmlElement | null {
  return names.reduce<XmlElement | null>((found, name) => (found ? child(found, name) : null), element);
}

/** The text at the end of a way of names; null where it is missing or empty. */
export function textAt(element: XmlElement | null, ...names: string[]): string | null {
  const text = at(element, ...names)?.text ?? '';
  return text === '' ? null : text;
}

/** @throws BankFileError missing where there is no text either */
export function neededText(element: XmlElement, name: string): string {
  const found = needed(element, name);
  if (found.text === '') throw new BankFileError('missing', { path: found.path });
  return found.text;
}

export function textsAt(element: XmlElement | null, name: string): string[] {
  return element === null
    ? []
    : children(element, name)
        .map(({ text }) => text)
        .filter((text) => text !== '');
}

/** `Cd` or `Prtry` inside, or, as the versions before wrote some of them, the code itself. */
export function codeOf(element: XmlElement | null): Code | null {
  if (element === null) return null;
  const code = textAt(element, 'Cd') ?? (element.children.length === 0 ? element.text : '');
  if (code !== '') return { code, isProprietary: false };
  const own = textAt(element, 'Prtry') ?? textAt(element, 'Prtry', 'Cd');
  return own === null ? null : { code: own, isProprietary: true };
}

/** @throws BankFileError direction */
export function directionOf(element: XmlElement): Direction {
  if (element.text === 'CRDT') return 'credit';
  if (element.text === 'DBIT') return 'debit';
  throw new BankFileError('direction', { path: element.path, value: element.text });
}

/** xs:boolean. @throws BankFileError flag */
export function flagAt(element: XmlElement, name: string): boolean | null {
  const found = child(element, name);
  if (found === null) return null;
  if (found.text === 'true' || found.text === '1') return true;
  if (found.text === 'false' || found.text === '0') return false;
  throw new BankFileError('flag', { path: found.path, value: found.text });
}

/** A count of up to 15 digits. @throws BankFileError number */
export function countAt(element: XmlElement | null, name: string): number | null {
  const found = element === null ? null : child(element, name);
  if (found === null) return null;
  if (!/^\d{1,15}$/.test(found.text)) throw new BankFileError('number', { path: found.path, value: found.text });
  return Number(found.text);
}

/** xs:decimal: a sign, digits, a point; at most 18 digits that count, at most five of them decimals. */
const decimal = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Normal digits of an amount: without sign, leading zeros and zeros at the end. @throws BankFileError amountFormat, amountNegative */
function digitsOf(element: XmlElement): { whole: string; fraction: string } {
  const wrong = () => new BankFileError('amountFormat', { path: element.path, value: element.text });
  const match = decimal.exec(element.text);
  const [, sign = '', wholeDigits = '', fractionDigits = ''] = match ?? [];
  if (match === null || wholeDigits + fractionDigits === '') throw wrong();
  const whole = wholeDigits.replace(/^0+/, '');
  const fraction = fractionDigits.replace(/0+$/, '');
  if (whole.length + fraction.length > 18) throw wrong();
  if (sign === '-' && whole + fraction !== '') {
    throw new BankFileError('amountNegative', { path: element.path, value: element.text });
  }
  return { whole, fraction };
}

function currencyOf(element: XmlElement): string {
  const { Ccy: currency } = element.attributes;
  if (currency === undefined) throw new BankFileError('missing', { path: `${element.path}/@Ccy` });
  return currency;
}

/**
 * An amount that is booked. Decimals beyond the currency's minor unit are accepted where they are zeros.
 * @throws BankFileError amountDecimals, amountFormat, amountNegative, currency, missing
 */
export function moneyOf(element: XmlElement): Money {
  const currency = currencyOf(element);
  const decimals = minorUnitsOf(currency);
  if (decimals === null) throw new BankFileError('currency', { path: `${element.path}/@Ccy`, value: currency });
  const { whole, fraction } = digitsOf(element);
  if (fraction.length > decimals) {
    throw new BankFileError('amountDecimals', { path: element.path, value: element.text, currency, decimals });
  }
  return { currency, minor: BigInt(whole + fraction.padEnd(decimals, '0') || '0') };
}

/** @throws BankFileError amountFormat, amountNegative, currency, missing */
export function statedOf(element: XmlElement | null): StatedAmount | null {
  return element === null ? null : stated(element);
}

/** @throws BankFileError amountFormat, amountNegative, currency, missing */
export function stated(element: XmlElement): StatedAmount {
  const currency = currencyOf(element);
  // Historic currencies are allowed here: nothing is computed with it.
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new BankFileError('currency', { path: `${element.path}/@Ccy`, value: currency });
  }
  const { whole, fraction } = digitsOf(element);
  if (fraction.length > 5) throw new BankFileError('amountFormat', { path: element.path, value: element.text });
  return { currency, amount: `${whole || '0'}${fraction === '' ? '' : `.${fraction}`}` };
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?|24:00:00(?:\.0+)?)(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** xs:dateTime as it was written. @throws BankFileError dateTime */
export function dateTimeOf(element: XmlElement | null): string | null {
  if (element === null) return null;
  const date = dateTimePattern.exec(element.text)?.[1];
  if (date === undefined || !isDay(date)) {
    throw new BankFileError('dateTime', { path: element.path, value: element.text });
  }
  return element.text;
}

/** xs:date without its offset. @throws BankFileError date */
export function dayOf(element: XmlElement | null): string | null {
  if (element === null) return null;
  const date = element.text.slice(0, 10);
  if (!datePattern.test(element.text) || !isDay(date)) {
    throw new BankFileError('date', { path: element.path, value: element.text });
  }
  return date;
}

/** `Dt` or `DtTm` inside. @throws BankFileError date, dateTime, missing */
export function bankDateOf(element: XmlElement | null): BankDate | null {
  if (element === null) return null;
  const dateTime = dateTimeOf(child(element, 'DtTm'));
  const date = dayOf(child(element, 'Dt')) ?? dateTime?.slice(0, 10);
  if (date === undefined) throw new BankFileError('missing', { path: `${element.path}/Dt` });
  return { date, dateTime };
}
