import { expect, test } from 'vitest';
import { DomainError } from '../../../platform/domain-error.ts';
import { usdCentsOf } from './value.ts';

const now = new Date('2026-03-02T09:00:00Z');
const usdt = { coin: 'USDT', decimals: 6 };

test('an amount is worth what the price of now says, in cents', () => {
  expect(usdCentsOf({ ...usdt, price: { usd: '2.5', updatedAt: now } }, 3_000_000n, now)).toBe(750n);
});

test('US dollars are worth themselves, without a price', () => {
  expect(usdCentsOf({ coin: 'USD', decimals: 2, price: null }, 90_010n, now)).toBe(90_010n);
});

test('without a price, or with one that is too old, nothing is decided', () => {
  const stale = { usd: '2.5', updatedAt: new Date(now.getTime() - 30 * 24 * 3_600_000) };
  for (const price of [null, stale]) {
    let refused: unknown;
    try {
      usdCentsOf({ ...usdt, price }, 1n, now);
    } catch (error) {
      refused = error;
    }
    expect(refused).toEqual(new DomainError('rateStale', { coin: 'USDT' }));
  }
});
