import { expect, test } from 'vitest';
import type { ExchangeWallet } from './exchange-values.ts';
import { checkStanding, checkStandingContent, emptyStanding } from './standing-values.ts';

const sold: ExchangeWallet = {
  walletId: 's',
  asset: 'USDT',
  decimals: 6,
  placeName: 'Ethereum',
  available: '1000.000000',
  minimum: '1.000000',
  limit: null,
  cannotSell: null,
  cannotBuy: null,
};
const filled = { ...emptyStanding('id'), sellWalletId: 's', buyWalletId: 'b', amount: '250' };
const contentOf = (change: object) => {
  const checked = checkStandingContent({ ...filled, ...change }, sold);
  return checked.ok ? checked.values.content : checked.problems.map(({ path }) => path[0]);
};

test('the day is that of the chosen period', () => {
  expect(contentOf({ every: 'day' })).toMatchObject({ day: 0 });
  expect(contentOf({ every: 'week', weekday: '3', monthday: '31' })).toMatchObject({ day: 3 });
  expect(contentOf({ every: 'month', weekday: '3', monthday: '31' })).toMatchObject({ day: 31 });
});

test('no last day means until it is stopped', () => {
  expect(contentOf({})).toMatchObject({ lastDay: null });
  expect(contentOf({ lastDay: '2027-01-31' })).toMatchObject({ lastDay: '2027-01-31' });
});

test('what is missing is said at its field', () => {
  expect(contentOf({ sellWalletId: '', buyWalletId: '', amount: '', time: '' })).toEqual([
    'sellWalletId',
    'buyWalletId',
    'amount',
    'time',
  ]);
  expect(contentOf({ buyWalletId: 's' })).toEqual(['buyWalletId']);
  expect(contentOf({ amount: '0' })).toEqual(['amount']);
  expect(contentOf({ amount: '0.0000001' })).toEqual(['amount']);
  // Everything above nothing is everything.
  expect(contentOf({ amount: '0', rule: 'above' })).toMatchObject({ rule: 'above', amount: '0' });
  expect(checkStanding(filled, sold)).toMatchObject({ ok: false, problems: [{ path: ['code'] }] });
  expect(checkStanding({ ...filled, code: '123456' }, sold).ok).toBe(true);
});
