import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundOf,
  checkContent,
  differenceOf,
  type ExchangeWallet,
  emptyExchange,
  isWithin,
} from './exchange-values.ts';

const quoteOf = (fixed: 'sell' | 'buy', total: string, quantity: string) => ({
  fixed,
  sell: {
    walletId: 's',
    asset: 'USDT',
    decimals: 6,
    quantity: total,
    fee: '0.000000',
    total,
    available: '1000.000000',
  },
  buy: { walletId: 'b', asset: 'JPY', decimals: 0, quantity },
});

const wallet = (part: Partial<ExchangeWallet>): ExchangeWallet => ({
  walletId: 's',
  asset: 'USDT',
  decimals: 6,
  placeName: 'Ethereum',
  available: '1000.000000',
  minimum: '1.000000',
  limit: null,
  cannotSell: null,
  cannotBuy: null,
  ...part,
});

test('the bound of a tolerance is what arrives at least, rounded down, or what leaves at most, rounded up', () => {
  expect(boundOf(quoteOf('sell', '100.000000', '15001'), 50)).toBe('14925');
  expect(boundOf(quoteOf('buy', '100.000001', '15000'), 50)).toBe('100.500002');
  expect(boundOf(quoteOf('sell', '0.010000', '1'), 50)).toBe('1');
});

test('a quote is within its own bound, and outside it once it has moved further than the tolerance', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 100n, max: 10n ** 12n }), fc.constantFrom(10, 50, 100, 200), (bought, tolerance) => {
      const bound = boundOf(quoteOf('sell', '100.000000', String(bought)), tolerance);
      expect(isWithin(quoteOf('sell', '100.000000', String(bought)), bound)).toBe(true);
      expect(isWithin(quoteOf('sell', '100.000000', String(BigInt(bound) - 1n)), bound)).toBe(false);
    }),
  );
  expect(isWithin(quoteOf('buy', '100.500001', '1'), '100.500000')).toBe(false);
});

test('less that leaves is better, less that arrives is worse, and the same is no difference', () => {
  const same = quoteOf('sell', '1.000000', '150');
  expect(differenceOf(same, same)).toBeNull();
  expect(differenceOf(same, quoteOf('sell', '1.000000', '149'))).toEqual({ amount: '-1', asset: 'JPY', better: false });
  const less = differenceOf(quoteOf('buy', '1.000000', '150'), quoteOf('buy', '0.990000', '150'));
  expect(less).toEqual({ amount: '-0.010000', asset: 'USDT', better: true });
});

test('a wallet that cannot be sold is refused at its field, before an amount is typed', () => {
  const checked = checkContent(
    { ...emptyExchange('i'), sellWalletId: 's', buyWalletId: 'b' },
    { sold: wallet({ cannotSell: 'frozen' }), bought: wallet({ walletId: 'b' }) },
  );
  expect(checked).toMatchObject({
    ok: false,
    problems: [
      { path: ['sellWalletId'], message: 'exchanges.cannotSell.frozen' },
      { path: ['amount'], message: 'field.required' },
    ],
  });
});

test('without a quote there is no bound, and so nothing that a code could be bound to', () => {
  const values = { ...emptyExchange('i'), sellWalletId: 's', buyWalletId: 'b', amount: '5' };
  const around = { sold: wallet({}), bought: wallet({ walletId: 'b' }) };
  expect(checkContent(values, around)).toMatchObject({ ok: false, problems: [{ path: ['bound'] }] });
  expect(checkContent({ ...values, bound: '4.9' }, around)).toMatchObject({
    ok: true,
    values: { content: { id: 'i', sellWalletId: 's', buyWalletId: 'b', fixed: 'sell', amount: '5', bound: '4.9' } },
  });
});
