import { describe, expect, test } from 'vitest';
import type { RequestOptions } from './api.ts';
import {
  acceptable,
  bodyOf,
  checkRequest,
  emptyRequest,
  endOf,
  excessOf,
  inCoin,
  type RequestValues,
} from './request-values.ts';

const now = Date.parse('2026-11-28T00:00:00.000Z');
const usdt = { chainId: 'ethereum', chainName: 'Ethereum', coin: 'USDT', decimals: 6, minimum: '1.000000' };
const options: RequestOptions = {
  accepted: [
    usdt,
    { ...usdt, coin: 'USDC' },
    { ...usdt, chainId: 'bitcoin', chainName: 'Bitcoin', coin: 'BTC', decimals: 8 },
  ],
  rates: [
    { coin: 'USDT', currency: 'HKD', rate: '7.8', at: '2026-11-28T00:00:00.000Z' },
    { coin: 'BTC', currency: 'HKD', rate: '745095.2', at: '2026-11-28T00:00:00.000Z' },
  ],
  currencies: [{ currency: 'HKD', decimals: 2 }],
  timeZone: 'Asia/Hong_Kong',
};
const values: RequestValues = {
  ...emptyRequest('0197f0c0-0000-7000-8000-000000000000', 'en_US'),
  ...{ title: ' Invoice 7 ', asset: 'HKD', amount: '1000', accepted: ['USDT.ethereum'] },
};
const problemsOf = (change: Partial<RequestValues>) => {
  const checked = checkRequest({ ...values, ...change }, options, now);
  return checked.ok ? [] : checked.problems.map(({ path }) => path[0]);
};

describe('what an amount comes to in a coin', () => {
  test.each([
    ['1000', '7.8', 6, '128.206000'],
    ['1000.00', '2', 6, '500.000000'],
    ['1000', '26500.12345678', 18, '0.037735700000000000'],
    ['100', '0.0000875', 18, '1142900.000000000000000000'],
    ['0.01', '745095.2', 8, '0.00000002'],
    ['1', '3', 0, '1'],
  ])('%s at %s with %d decimals is %s, rounded up', (amount, rate, decimals, expected) => {
    expect(inCoin(amount, rate, decimals, 2)).toBe(expected);
  });

  test('is nothing without a rate or an amount', () => {
    expect(inCoin('', '7.8', 6, 2)).toBeNull();
    expect(inCoin('1', '0', 6, 2)).toBeNull();
  });
});

test('only coins with a rate are accepted for a currency, and the coin itself for an amount in a coin', () => {
  expect(acceptable({ pricing: 'currency', asset: 'HKD' }, options).map(({ coin }) => coin)).toEqual(['USDT', 'BTC']);
  expect(acceptable({ pricing: 'coin', asset: 'USDC' }, options).map(({ coin }) => coin)).toEqual(['USDC']);
  expect(acceptable({ pricing: 'open', asset: '' }, options)).toHaveLength(3);
});

test('the form says which field is wrong', () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ title: ' ' })).toEqual(['title']);
  expect(problemsOf({ amount: '0.00' })).toEqual(['amount']);
  expect(problemsOf({ amount: '1.001' })).toEqual(['amount']);
  expect(problemsOf({ accepted: ['USDC.ethereum'] })).toEqual(['accepted']);
  expect(problemsOf({ period: 'at', until: '2026-11-27T00:00' })).toEqual(['until']);
  expect(problemsOf({ period: 'at', until: '2027-03-01T00:00' })).toEqual(['until']);
  expect(problemsOf({ period: 'none' })).toEqual(['period']);
  expect(problemsOf({ payerEmail: 'wong@' })).toEqual(['payerEmail']);
  expect(problemsOf({ toleranceIn: 'percent', tolerance: '10.5' })).toEqual(['tolerance']);
  expect(problemsOf({ toleranceIn: 'units', tolerance: '5' })).toEqual([]);
  expect(problemsOf({ kind: 'reusable', pricing: 'open', asset: '', amount: '', period: 'none' })).toEqual([]);
});

test('a due date is a day of the company on which the request can still be paid', () => {
  // 08:00 in Hong Kong: a day later it is the 29th.
  expect(problemsOf({ dueOn: '2026-11-28' })).toEqual([]);
  expect(problemsOf({ dueOn: '2026-11-29' })).toEqual([]);
  expect(problemsOf({ dueOn: '2026-11-30' })).toEqual(['dueOn']);
  expect(problemsOf({ dueOn: '2026-11-27' })).toEqual(['dueOn']);
  expect(problemsOf({ dueOn: '2026-11-30', period: '72' })).toEqual([]);
  // Already the 1st of December there.
  expect(problemsOf({ dueOn: '2026-12-01', period: 'at', until: '2026-11-30T16:30:00Z' })).toEqual([]);
  const reusable = { kind: 'reusable', pricing: 'open', asset: '', amount: '', period: 'none' } as const;
  expect(problemsOf({ ...reusable, dueOn: '2028-01-01' })).toEqual([]);
});

test('what is sent is trimmed, counts the period from now, and has reminders only where they can go', () => {
  const body = bodyOf({ ...values, reminderDays: [-1], dueOn: '2026-11-29' }, options, now);
  expect(body).toMatchObject({
    title: 'Invoice 7',
    amount: '1000',
    accepted: [{ chainId: 'ethereum', coin: 'USDT' }],
    tolerance: { percent: '0' },
    expiresAt: '2026-11-29T00:00:00.000Z',
    payer: null,
    reminderDays: [],
  });
  const mailed = bodyOf(
    { ...values, reminderDays: [-1], dueOn: '2026-11-29', payerEmail: ' a@b.example ' },
    options,
    now,
  );
  expect(mailed.payer).toEqual({ name: '', email: 'a@b.example', language: 'en_US' });
  expect(mailed.reminderDays).toEqual([-1]);
  expect(endOf({ period: 'none', until: '' }, now)).toBeNull();
});

test('what came above the amount is said to the last unit, and nothing where it did not', () => {
  expect(excessOf({ amount: '400.000000', paid: '450.000001', decimals: 6 })).toBe('50.000001');
  expect(excessOf({ amount: '400.000000', paid: '400.000000', decimals: 6 })).toBeNull();
  expect(excessOf({ amount: '400.000000', paid: '10.000000', decimals: 6 })).toBeNull();
  expect(excessOf({ amount: null, paid: null, decimals: null })).toBeNull();
});
