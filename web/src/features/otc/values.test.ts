import { expect, test } from 'vitest';
import { checkCounter, checkRequest, checkText, contentOf, deadlineOf, emptyRequest, type Wallet } from './values.ts';

const wallet = (walletId: string, asset: string, decimals: number): Wallet => ({
  walletId,
  asset,
  decimals,
  placeName: 'Ethereum',
  available: '1000',
  minimum: '1',
  limit: null,
  cannotSell: null,
  cannotBuy: null,
});
const wallets = [wallet('s', 'USDT', 6), wallet('b', 'ETH', 18), wallet('c', 'USDT', 6)];

test('a request names two wallets of different assets and an amount of the fixed side', () => {
  const values = { ...emptyRequest('k'), sellWalletId: 's', buyWalletId: 'b', amount: '60000', note: ' soon ' };
  expect(checkRequest(values, wallets)).toEqual({ ok: true, values: { ...values, note: 'soon' } });
  const fieldsOf = (part: object) => {
    const checked = checkRequest({ ...values, ...part }, wallets);
    return checked.ok ? [] : checked.problems.map(({ path }) => path[0]);
  };
  expect(fieldsOf({ buyWalletId: 'c' })).toEqual(['buyWalletId']);
  expect(fieldsOf({ amount: '0' })).toEqual(['amount']);
  expect(fieldsOf({ amount: '', sellWalletId: '' })).toEqual(['sellWalletId', 'amount']);
});

test('a counter is a rate or an amount, and neither is nothing', () => {
  const values = { by: 'rate' as const, rate: '0.0004', wanted: '', text: ' please ' };
  expect(checkCounter(values)).toEqual({ ok: true, values: { ...values, text: 'please' } });
  for (const rate of ['', '0', '0.000', '-1', '1e5', '1,5']) expect(checkCounter({ ...values, rate }).ok).toBe(false);
  expect(checkCounter({ ...values, by: 'amount', wanted: '23.9' }).ok).toBe(true);
  expect(checkCounter({ ...values, by: 'amount', wanted: '0.0' }).ok).toBe(false);
  expect(checkText({ text: '  ' }).ok).toBe(false);
});

test('an offer is accepted for exactly what it says, whichever side is fixed', () => {
  const quote = {
    sell: {
      walletId: 's',
      asset: 'USDT',
      decimals: 6,
      quantity: '99.5',
      fee: '0.5',
      total: '100.0',
      available: '1000',
    },
    buy: { walletId: 'b', asset: 'ETH', decimals: 18, quantity: '0.04' },
  };
  const of = (fixed: 'sell' | 'buy') => contentOf('i', { ...quote, fixed } as never);
  expect(of('sell')).toMatchObject({ amount: '100.0', bound: '0.04' });
  expect(of('buy')).toMatchObject({ amount: '0.04', bound: '100.0' });
});

test('a deadline begins to run when the request is sent', () => {
  expect(deadlineOf('4', Date.UTC(2026, 2, 2, 9))).toBe('2026-03-02T13:00:00.000Z');
});
