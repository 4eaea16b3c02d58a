import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crossPrice, formatUsd, isStale, percentOf, readPrice, usdValue } from './domain.ts';

describe('valuation', () => {
  test.each([
    [1_000_000n, 6, '1', 100n],
    [1_500_000n, 6, '0.9998', 150n],
    // Half a cent goes up.
    [5_000n, 6, '1', 1n],
    [4_999n, 6, '1', 0n],
    [1_000_000_000_000_000_000n, 18, '3123.456', 312_346n],
    [10n ** 77n, 18, '1', 10n ** 61n],
    [0n, 18, '3123.45', 0n],
  ])('%s minor units with %s decimals at %s is %s cents', (minor, decimals, price, cents) => {
    expect(usdValue(minor, decimals, price)).toBe(cents);
  });

  test('agrees with exact arithmetic wherever 20 digits suffice', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), fc.bigInt(1n, 10n ** 7n), (minor, thousandths) => {
        const price = formatUsd(thousandths);
        const exact = (minor * thousandths * 2n + 1_000_000n) / 2_000_000n;
        expect(usdValue(minor, 6, price)).toBe(exact);
      }),
    );
  });

  test('shares are per cent with two decimals, and none of nothing', () => {
    expect(percentOf(1n, 3n)).toBe('33.33');
    expect(percentOf(2n, 3n)).toBe('66.67');
    expect(percentOf(3n, 3n)).toBe('100.00');
    expect(percentOf(0n, 0n)).toBeNull();
  });
});

describe('prices', () => {
  test.each([
    [1.0001, '1.0001'],
    ['63123.5', '63123.5'],
    [1e-7, '0.0000001'],
    ['0.123456789012345678901234', '0.12345678901234567890'.replace(/0$/, '')],
  ])('%s is kept as %s', (given, kept) => expect(readPrice(given)).toBe(kept));

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, '', '1,0', '0x10', '1e400', {}, true])(
    '%s is no price',
    (given) => expect(readPrice(given)).toBeNull(),
  );

  test('of a currency follow from what one thing costs in both', () => {
    expect(crossPrice('96000', '747840')).toBe('0.12836970474967907574');
    expect(crossPrice('1', '1')).toBe('1');
    expect(crossPrice('96000', '14880000')).toBe('0.0064516129032258064516');
  });

  test('are stale after ten minutes', () => {
    const updatedAt = new Date('2026-01-01T00:00:00Z');
    const price = { updatedAt };
    expect(isStale(price, new Date('2026-01-01T00:10:00Z'))).toBe(false);
    expect(isStale(price, new Date('2026-01-01T00:10:00.001Z'))).toBe(true);
  });
});
