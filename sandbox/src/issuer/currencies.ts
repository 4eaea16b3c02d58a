import { fixed, fixedText, product, quotient } from '../venue/fixed.ts';
import { dollarsOfCurrency } from '../venue/prices.ts';

/** Programmes of the issuer, and what it makes of other currencies. */

export type Program = { token: string; name: string; currency: string; panStart: string; createdAt: number };

const CREATED = Date.UTC(2026, 0, 5);

/** Of the numbers that card networks set aside for tests. */
export const PROGRAMS: readonly Program[] = [
  {
    token: '5e9483eb-8103-4e16-9794-2106111b2eca',
    name: 'Causeway sandbox USD',
    currency: 'USD',
    panStart: '411111',
    createdAt: CREATED,
  },
  {
    token: '0b1f9a3c-7a43-4b3e-8a21-5f4a3f2f7c10',
    name: 'Causeway sandbox HKD',
    currency: 'HKD',
    panStart: '400000',
    createdAt: CREATED,
  },
];

/** ISO 4217 minor units, where they are not two. */
const PLACES: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, VND: 0, KWD: 3, BHD: 3, JOD: 3 };
export const CURRENCIES = ['USD', 'HKD', 'CNY', 'EUR', 'GBP', 'JPY', 'SGD'] as const;

/** What the issuer adds to the middle rate for another currency. */
const MARKUP = fixed('1.0125');

export function placesOf(currency: string): number {
  return PLACES[currency] ?? 2;
}

/** Billing units for one unit of the merchant's currency: a plain decimal of at most ten places. */
export function rateOf(merchant: string, billing: string): string {
  if (merchant === billing) return '1';
  return fixedText(product(quotient(fixed(dollarsOfCurrency(merchant)), fixed(dollarsOfCurrency(billing))), MARKUP));
}

/** Minor units to minor units, half away from zero. */
export function converted(amount: number, from: string, to: string, rate: string): number {
  if (from === to) return amount;
  const scale = BigInt(placesOf(to) - placesOf(from));
  const shifted = scale >= 0n ? BigInt(Math.abs(amount)) * 10n ** scale : BigInt(Math.abs(amount));
  const divisor = fixed('1') * (scale < 0n ? 10n ** -scale : 1n);
  const value = Number((shifted * fixed(rate) * 2n + divisor) / (divisor * 2n));
  return amount < 0 ? -value : value;
}
