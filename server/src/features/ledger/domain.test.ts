import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { amountOf, move, refusal, reversed, settledLegs } from './domain.ts';

test('a move takes from one account what it gives to the other; reversed, it is the move back', () => {
  const legs = move('payer', 'payee', 7n);
  expect(legs).toEqual([
    { accountId: 'payer', amountMinor: -7n },
    { accountId: 'payee', amountMinor: 7n },
  ]);
  expect(reversed(legs)).toEqual([
    { accountId: 'payer', amountMinor: 7n },
    { accountId: 'payee', amountMinor: -7n },
  ]);
});

test('legs of the same account are added up, those that come to nothing dropped, the rest in the order of their accounts', () => {
  const legs = settledLegs([
    { accountId: 'b', amountMinor: -3n },
    { accountId: 'd', amountMinor: 5n },
    { accountId: 'c', amountMinor: 1n },
    { accountId: 'a', amountMinor: -2n },
    { accountId: 'b', amountMinor: 1n },
    { accountId: 'c', amountMinor: -1n },
    { accountId: 'd', amountMinor: -1n },
  ]);
  expect(legs).toEqual([
    { accountId: 'a', amountMinor: -2n },
    { accountId: 'b', amountMinor: -2n },
    { accountId: 'd', amountMinor: 4n },
  ]);
});

test('legs that do not sum to zero are refused', () => {
  expect(() => settledLegs([...move('a', 'b', 7n), { accountId: 'c', amountMinor: 1n }])).toThrow('sums to zero');
});

test('an amount is read in minor units, and refused on the field where it was entered', () => {
  const usdt = { asset: 'USDT', decimals: 6 };
  expect(amountOf('1.5', usdt)).toBe(1_500_000n);
  const refused = [
    ['1,5', 'amountFormat'],
    ['0.0000001', 'amountTooManyDecimals'],
    [`1${'0'.repeat(72)}`, 'amountTooLarge'],
  ] as const;
  for (const [text, key] of refused) {
    const error = refusal(key, usdt, 'fee');
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ key, details: usdt, fields: { fee: `error.${key}` } });
    expect(() => amountOf(text, usdt, 'fee')).toThrow(error);
    expect(() => amountOf(text, usdt)).toThrow(refusal(key, usdt, 'amount'));
  }
});
