import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, maxAmountLength, parseAmount, sayAmount, sayAmountText } from './money.ts';

describe('amounts', () => {
  test('survive the way out and back, for every number of decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 60n), fc.integer({ min: 0, max: 18 }), (minor, decimals) => {
        const parsed = parseAmount(formatAmount(minor, decimals), decimals);
        expect(parsed).toEqual({ ok: true, minor });
      }),
    );
  });

  test.each([
    ['12.5', 2, 1250n],
    ['0.000001', 6, 1n],
    ['007', 2, 700n],
    ['1', 18, 10n ** 18n],
    ['0', 0, 0n],
  ])('reads %s with %i decimals', (text, decimals, minor) => {
    expect(parseAmount(text, decimals)).toEqual({ ok: true, minor });
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1e400',
    '1e5',
    '-1',
    '+1',
    '0x1',
    '١٢',
    '１',
    '1,0',
    '1.',
    '.5',
    '1.2.3',
    'NaN',
    'Infinity',
    '1_000',
    '1\n',
  ])('refuses %j', (text) => {
    expect(parseAmount(text, 6)).toEqual({ ok: false, problem: 'amount.format' });
  });

  test('refuses more decimals than the asset has, and never rounds', () => {
    expect(parseAmount('1.005', 2)).toEqual({ ok: false, problem: 'amount.tooManyDecimals' });
    expect(parseAmount('1.000', 2)).toEqual({ ok: false, problem: 'amount.tooManyDecimals' });
  });

  test('refuses what no column can hold', () => {
    expect(parseAmount(`1${'0'.repeat(77)}`, 0)).toEqual({ ok: false, problem: 'amount.tooLarge' });
    expect(parseAmount('9'.repeat(200), 0)).toEqual({ ok: false, problem: 'amount.tooLarge' });
  });

  test('reads text of the longest length, and refuses a longer one by its length alone', () => {
    const longest = `${'0'.repeat(maxAmountLength - 2)}.5`;
    expect(parseAmount(longest, 6)).toEqual({ ok: true, minor: 500_000n });
    expect(parseAmount(`0${longest}`, 6)).toEqual({ ok: false, problem: 'amount.tooLarge' });
  });

  test('writes signs and small fractions plainly', () => {
    expect(formatAmount(-5n, 6)).toBe('-0.000005');
    expect(formatAmount(0n, 2)).toBe('0.00');
  });

  test.each([
    [25_000_000_000n, 6, '25,000.00'],
    [1_500n, 6, '0.0015'],
    [-1_234_567_890_000n, 6, '-1,234,567.89'],
    [7n, 0, '7'],
    [1_234n, 0, '1,234'],
  ])('says %i with %i decimals as %s', (minor, decimals, said) => {
    expect(sayAmount(minor, decimals)).toBe(said);
  });

  test.each(['', 'USDT', '-', 'USDT 1234', '1234 USDT', '1234.5.6', '1,234', '1e21'])(
    'says %j, which is no amount, as it is',
    (text) => {
      expect(sayAmountText(text)).toBe(text);
    },
  );

  test.each([
    ['-0', '0'],
    ['-0.000', '0.00'],
    ['-000.0', '000.00'],
    ['-0.001', '-0.001'],
    ['-1234', '-1,234'],
  ])('says %s as %s: a zero has no sign', (text, said) => {
    expect(sayAmountText(text)).toBe(said);
  });
});
