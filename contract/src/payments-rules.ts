import type { BankWay } from './bank-rules.ts';
import type { TransactionType } from './transactions-rules.ts';

/** Payments out of a wallet at a bank, without a schema library. */

/** `transfer`: to a saved bank account. `payment`: to a business counterparty, with vouchers. Both leave alike. */
export const payoutForms = ['transfer', 'payment'] as const;
export type PayoutForm = (typeof payoutForms)[number];

/** `fiat_payout`: from a wallet of the payee's currency. `crypto_payout`: out of a coin wallet, at a quote. */
export const payoutKinds = ['fiat_payout', 'crypto_payout'] as const satisfies TransactionType[];

/** Whether a transaction pays a bank account. */
export function isPayout(type: TransactionType): boolean {
  return (payoutKinds as readonly TransactionType[]).includes(type);
}

export const maxVouchers = 5;

/** Who pays the charges of the banks: both, each its own; the payer all of them; or the payee. */
export const chargeBearers = ['shared', 'payer', 'payee'] as const;
export type ChargeBearer = (typeof chargeBearers)[number];

/** Charges can be chosen where several banks carry the payment; a country's own clearing has its own rule. */
export function chargeBearersOf({ id }: Pick<BankWay, 'id'>): readonly ChargeBearer[] {
  return id === 'swift' || id === 'hkChats' ? chargeBearers : ['shared'];
}

/** A fee is that of the way: of a country's own clearing, or by SWIFT through several banks. */
export const payoutRoutes = ['local', 'swift'] as const;
export type PayoutRoute = (typeof payoutRoutes)[number];

export function routeOf({ id }: Pick<BankWay, 'id'>): PayoutRoute {
  return id === 'swift' ? 'swift' : 'local';
}

/** What a payment is for: codes of ISO 20022's external list "Purpose" that companies use. */
export const purposes = [
  'GDDS',
  'SCVE',
  'SUPP',
  'SALA',
  'RENT',
  'INTC',
  'LOAN',
  'DIVD',
  'TAXS',
  'FREI',
  'ADVA',
  'CHAR',
  'OTHR',
] as const;
export type Purpose = (typeof purposes)[number];

/** Countries whose central banks ask for the purpose of every payment that comes in. */
const askedBy: ReadonlySet<string> = new Set(['AE', 'BH', 'CN', 'ID', 'IN', 'JO', 'JP', 'KR', 'MY', 'PH', 'TH']);

export function isPurposeNeeded(country: string): boolean {
  return askedBy.has(country);
}

/** The longest text that any way carries; the way's own limit is `BankWay.remittance`. */
export const remittanceMaxLength = 140;

/** Whether a text is nothing but a reference of the payee's (ISO 11649): it travels in the field for it. */
export function isCreditorReference(text: string): boolean {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  if (!/^RF\d{2}[A-Z0-9]{1,21}$/.test(plain)) return false;
  const digits = [...(plain.slice(4) + plain.slice(0, 4))].map((each) => Number.parseInt(each, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}
