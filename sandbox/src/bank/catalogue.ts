import { currencies } from '@causeway/contract/currencies.ts';
import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';

/** What the sandbox's two banks are: names, numbers, currencies and hours. Nothing of it exists in reality. */

export const BANK_IDS = ['harbour', 'meridian'] as const;
export type BankId = (typeof BANK_IDS)[number];

export type BankFacts = {
  name: string;
  bic: string;
  city: string;
  /** Bank and branch of its account numbers. */
  numbers: string;
  /** Prefix of its references. */
  prefix: string;
  /** Hour of the bank until which a payment of the currency leaves on the same day. */
  cutOffs: Readonly<Record<string, string>>;
};

export const BANKS: Readonly<Record<BankId, BankFacts>> = {
  harbour: {
    name: 'Harbour Bank',
    bic: 'HRBRHKHH',
    city: 'Hong Kong',
    numbers: '998001',
    prefix: 'HB',
    cutOffs: { HKD: '17:00', CNY: '16:00', USD: '16:00', EUR: '15:00', GBP: '15:00' },
  },
  meridian: {
    name: 'Meridian Payments',
    bic: 'MRDPSGSG',
    city: 'Singapore',
    numbers: '997001',
    prefix: 'MP',
    cutOffs: { SGD: '16:00', JPY: '16:00', EUR: '16:00', GBP: '16:00', USD: '16:00' },
  },
};

/** The customer whose accounts these are: the installation. */
export const CUSTOMER = 'Causeway Client Money';

/** The customer's account in a currency: it holds ISO 4217's numeric code. */
export function collectingAccount(bank: BankId, currency: string): string {
  const numeric = Object.entries(currencies).find(([code]) => code === currency)?.[1].numeric ?? '000';
  return bank === 'harbour' ? `${BANKS.harbour.numbers}000000${numeric}` : `${numeric}00000001`;
}

/** Every other party's money, in one account for each bank and currency: what comes in leaves it, what goes out enters it. */
export const clearingAccount = (bank: BankId, currency: string): string => `${bank}-clearing-${currency}`;
/** What the bank earns. */
export const incomeAccount = (bank: BankId, currency: string): string => `${bank}-income-${currency}`;

/** The check digit of Luhn (ISO/IEC 7812-1, annex B) for the digits before it. */
export function luhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** A virtual account number of Harbour Bank: 998, 001, seven digits of a sequence, check digit (Luhn over the thirteen). */
export function virtualNumber(sequence: number): string {
  const digits = `${BANKS.harbour.numbers}${String(sequence).padStart(7, '0')}`;
  return digits + luhnDigit(digits);
}

export function isVirtualNumber(number: string): boolean {
  return /^998001\d{8}$/.test(number) && luhnDigit(number.slice(0, 13)) === number.slice(13);
}

/** The reasons that the bank gives, from ISO 20022's external code lists, with its own words. */
export const REASONS: Readonly<Record<string, string>> = {
  AC01: 'Account number is invalid or missing',
  AC02: 'Debtor account number is invalid or missing',
  AC04: 'Account is closed',
  AC06: 'Account is blocked',
  AM02: 'Amount exceeds the allowed maximum',
  AM03: 'Currency is not processable for this account',
  AM04: 'Amount of funds available is insufficient',
  AM09: 'Amount is not the amount agreed or expected',
  AM10: 'Sum of instructed amounts does not equal the control sum',
  AM12: 'Amount is invalid or missing',
  AM18: 'Number of transactions is invalid',
  BE04: "Creditor's town or country is missing",
  BE22: "Creditor's name is missing",
  CUST: 'Requested by the customer',
  DT01: 'Requested execution date is invalid',
  DUPL: 'Message or payment was received before',
  FF01: 'File format is invalid',
  MD07: 'Account holder is deceased',
  MS03: 'Reason has not been given',
  RC01: 'Bank identifier is incorrect',
  RR04: 'Regulatory reason',
};

export function decimalsOf(currency: string): number {
  const decimals = minorUnitsOf(currency);
  if (decimals === null) throw new BankRefusal('AM03', `${currency} is no currency.`);
  return decimals;
}

/** A plain decimal text in minor units. @throws BankRefusal AM12 */
export function minorOf(text: string, currency: string): bigint {
  const parsed = parseAmount(text, decimalsOf(currency));
  if (!parsed.ok || parsed.minor <= 0n) throw new BankRefusal('AM12', `"${text}" is no amount of ${currency}.`);
  return parsed.minor;
}

export function amountText(minor: bigint, currency: string): string {
  return formatAmount(minor, decimalsOf(currency));
}

/** What the bank does not do, with ISO's reason code and a sentence. */
export class BankRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'BankRefusal';
    this.code = code;
  }
}
