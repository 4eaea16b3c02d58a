import { formatAmount } from '@causeway/contract/money.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import {
  costOfSpread,
  fixedAmountOf,
  inverseOf,
  isWithin,
  type Priced,
  priceAtRate,
  priceExchange,
  type Terms,
} from './domain.ts';

const terms = (given: Partial<Terms> = {}): Terms => ({
  sell: { decimals: 6, usd: '1' },
  buy: { decimals: 18, usd: '2500' },
  spreadBasisPoints: 0,
  feeBasisPoints: 0,
  ...given,
});

describe('a price', () => {
  test('follows from the middle prices, less the spread, the fee beside what is exchanged', () => {
    const priced = priceExchange('sell', 100_500_000n, terms({ spreadBasisPoints: 50, feeBasisPoints: 50 }));
    expect(priced).toEqual({
      soldMinor: 100_000_000n,
      feeMinor: 500_000n,
      boughtMinor: 39_800_000_000_000_000n,
      rate: '0.000398',
      mid: '0.0004',
    });
    expect(costOfSpread(priced, terms())).toBe(200_000_000_000_000n);
    expect(inverseOf('0.0004')).toBe('2500');
    expect(inverseOf('3')).toBe('0.333333333333333333333333333333');
  });

  test('of a fixed bought amount is the least that gives it', () => {
    const priced = priceExchange('buy', 10n ** 17n, terms({ buy: { decimals: 18, usd: '2510' } }));
    expect(priced).toMatchObject({ soldMinor: 251_000_000n, boughtMinor: 10n ** 17n });
  });

  test.each<[string, bigint, Partial<Terms>]>([
    ['nothing is sold', 0n, {}],
    ['the fee leaves nothing', 1n, { feeBasisPoints: 10_000 }],
    ['nothing arrives', 1n, { sell: { decimals: 18, usd: '1' }, buy: { decimals: 0, usd: '1' } }],
    ['the spread takes all', 1_000_000n, { spreadBasisPoints: 10_000 }],
    ['the spreads are more than all', 1_000_000n, { spreadBasisPoints: 12_000 }],
  ])('is refused where %s', (_, amount, given) => {
    expect(() => priceExchange('sell', amount, terms(given))).toThrow(
      expect.objectContaining({ key: 'exchangeTooSmall', fields: { amount: 'error.exchangeTooSmall' } }),
    );
  });

  test('is as good as its bound, or better', () => {
    const [soldMinor, feeMinor, boughtMinor] = [100n, 1n, 40n];
    const sold = { fixed: 'sell' as const, soldMinor, feeMinor, boughtMinor };
    expect([39n, 40n, 41n].map((bound) => isWithin(bound, sold))).toEqual([true, true, false]);
    const bought = { ...sold, fixed: 'buy' as const };
    expect([100n, 101n, 102n].map((bound) => isWithin(bound, bought))).toEqual([false, true, true]);
    expect([sold, bought].map(fixedAmountOf)).toEqual([101n, 40n]);
  });
});

/** Decimals of assets that there are, and prices of any size. */
const side = fc.record({
  decimals: fc.constantFrom(0, 2, 6, 8, 18),
  usd: fc.tuple(fc.bigInt(1n, 10n ** 20n), fc.integer({ min: 0, max: 20 })).map(([units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  }),
});
const basisPoints = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 10_000 }));
const anyTerms = fc.record({ sell: side, buy: side, spreadBasisPoints: basisPoints, feeBasisPoints: basisPoints });
const amount = fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 40n));

/** An exact fraction; everything below compares without rounding. */
type Fraction = readonly [bigint, bigint];
const fraction = (text: string): Fraction => {
  const [whole = '', part = ''] = text.split('.');
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
};
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const by = (one: Fraction, [c, d]: Fraction): Fraction => times(one, [d, c]);
const compare = ([a, b]: Fraction, [c, d]: Fraction): number => Number(a * d > c * b) - Number(a * d < c * b);
const less = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d - c * b, b * d];

/** Minor units bought for one minor unit sold, exactly. */
function exactRate({ sell, buy, spreadBasisPoints }: Terms): Fraction {
  const between: Fraction = [10n ** BigInt(buy.decimals), 10n ** BigInt(sell.decimals)];
  const spread: Fraction = [10_000n - BigInt(spreadBasisPoints), 10_000n];
  return times(times(by(fraction(sell.usd), fraction(buy.usd)), between), spread);
}

function priced(fixed: 'sell' | 'buy', minor: bigint, given: Terms): Priced | null {
  try {
    return priceExchange(fixed, minor, given);
  } catch (error) {
    if (error instanceof DomainError && error.key === 'exchangeTooSmall') return null;
    throw error;
  }
}

const runs = { numRuns: 2000 };

describe('for any amounts, decimals, prices, spreads and fees', () => {
  test('of a fixed total no rounding favours the customer, or costs a minor unit of a leg', () => {
    fc.assert(
      fc.property(amount, anyTerms, (total, given) => {
        const price = priced('sell', total, given);
        if (!price) return;
        const { soldMinor, feeMinor, boughtMinor } = price;
        expect(soldMinor + feeMinor).toBe(total);
        // The fee is at least its share of what is exchanged; one unit more exchanged would not leave enough for it.
        const fee: Fraction = [BigInt(given.feeBasisPoints), 10_000n];
        expect(compare([feeMinor, 1n], times([soldMinor, 1n], fee))).toBeGreaterThanOrEqual(0);
        expect(compare([feeMinor - 1n, 1n], times([soldMinor + 1n, 1n], fee))).toBeLessThan(0);
        const exact = times([soldMinor, 1n], exactRate(given));
        expect(compare([boughtMinor, 1n], exact)).toBeLessThanOrEqual(0);
        expect(compare([boughtMinor + 1n, 1n], exact)).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  test('of a fixed bought amount it costs the least that gives it, rounded up once a leg', () => {
    fc.assert(
      fc.property(amount, anyTerms, (bought, given) => {
        const price = priced('buy', bought, given);
        if (!price) return;
        const { soldMinor, feeMinor, boughtMinor } = price;
        expect(boughtMinor).toBe(bought);
        const rate = exactRate(given);
        expect(compare(times([soldMinor, 1n], rate), [bought, 1n])).toBeGreaterThanOrEqual(0);
        expect(compare(times([soldMinor - 1n, 1n], rate), [bought, 1n])).toBeLessThan(0);
        const fee = times([soldMinor, 1n], [BigInt(given.feeBasisPoints), 10_000n]);
        expect(compare([feeMinor, 1n], fee)).toBeGreaterThanOrEqual(0);
        expect(compare([feeMinor - 1n, 1n], fee)).toBeLessThan(0);
      }),
      runs,
    );
  });

  test('what is sold times the rate that is shown agrees with what is bought', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 28n), anyTerms, (total, given) => {
        const price = priced('sell', total, given);
        if (!price) return;
        const shown = times(fraction(price.rate), [
          10n ** BigInt(given.buy.decimals),
          10n ** BigInt(given.sell.decimals),
        ]);
        expect(compare(shown, exactRate(given))).toBeLessThanOrEqual(0);
        const off = less([price.boughtMinor, 1n], times([price.soldMinor, 1n], shown));
        // Less than one minor unit below, and above at most by what the digits of the rate leave out.
        expect(compare(off, [-1n, 1n])).toBeGreaterThan(0);
        expect(compare(off, [price.boughtMinor + 1n, 10n ** 29n])).toBeLessThanOrEqual(0);
        expect(compare(fraction(price.rate), fraction(price.mid))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  test('there and back never gains', () => {
    fc.assert(
      fc.property(fc.constantFrom('sell', 'buy'), amount, anyTerms, (fixed, minor, given) => {
        const there = priced(fixed, minor, given);
        if (!there) return;
        const back = priced('sell', there.boughtMinor, { ...given, sell: given.buy, buy: given.sell });
        expect((back?.boughtMinor ?? 0n) <= there.soldMinor + there.feeMinor).toBe(true);
        const exactly = priced('buy', there.soldMinor + there.feeMinor, { ...given, sell: given.buy, buy: given.sell });
        if (exactly) expect(exactly.soldMinor + exactly.feeMinor >= there.boughtMinor).toBe(true);
      }),
      runs,
    );
  });

  test('of both sides fixed in turn, the one that follows from the other is never better', () => {
    fc.assert(
      fc.property(amount, anyTerms, (total, given) => {
        const sold = priced('sell', total, given);
        if (!sold) return;
        const again = priced('buy', sold.boughtMinor, given);
        expect(again && again.soldMinor + again.feeMinor <= total).toBe(true);
      }),
      runs,
    );
  });
});

describe('a price at a rate that the desk names', () => {
  const at = (rate: string, feeBasisPoints = 0) => ({
    sell: { decimals: 6, usd: '1' },
    buy: { decimals: 18, usd: '2500' },
    rate,
    feeBasisPoints,
  });

  test('says what it is below the middle rate, rounded up, and nothing where it is above', () => {
    expect(priceAtRate('sell', 60_000_000_000n, at('0.0003968'))).toMatchObject({
      soldMinor: 60_000_000_000n,
      boughtMinor: 23_808_000_000_000_000_000n,
      rate: '0.0003968',
      mid: '0.0004',
      spreadBasisPoints: 80,
    });
    expect(priceAtRate('sell', 1_000_000n, at('0.000399999')).spreadBasisPoints).toBe(1);
    expect(priceAtRate('sell', 1_000_000n, at('0.0004')).spreadBasisPoints).toBe(0);
    expect(priceAtRate('sell', 1_000_000n, at('0.000400000000000001')).spreadBasisPoints).toBeNull();
    expect(() => priceAtRate('sell', 0n, at('0.0004'))).toThrow(DomainError);
  });

  test('never favours the customer by its rounding, whichever side is fixed, and costs no more than one unit by it', () => {
    const decimals = fc.integer({ min: 0, max: 18 });
    const price = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((value) => formatAmount(value, 6));
    fc.assert(
      fc.property(
        fc.record({
          fixed: fc.constantFrom('sell' as const, 'buy' as const),
          amountMinor: fc.bigInt({ min: 1n, max: 10n ** 26n }),
          sell: fc.record({ decimals, usd: price }),
          buy: fc.record({ decimals, usd: price }),
          rate: fc.bigInt({ min: 1n, max: 10n ** 24n }),
          feeBasisPoints: fc.integer({ min: 0, max: 500 }),
        }),
        ({ fixed, amountMinor, sell, buy, rate, feeBasisPoints }) => {
          const given = { sell, buy, rate: formatAmount(rate, 12), feeBasisPoints };
          let made: ReturnType<typeof priceAtRate>;
          try {
            made = priceAtRate(fixed, amountMinor, given);
          } catch (error) {
            expect(error).toMatchObject({ key: 'exchangeTooSmall' });
            return;
          }
          const { soldMinor, feeMinor, boughtMinor, spreadBasisPoints } = made;
          // bought / sold ≤ rate, between minor units: bought · 10^12 · 10^sell ≤ sold · rate · 10^buy.
          const [left, right] = [10n ** BigInt(12 + sell.decimals), rate * 10n ** BigInt(buy.decimals)];
          expect(boughtMinor * left <= soldMinor * right).toBe(true);
          if (fixed === 'sell') {
            expect(soldMinor + feeMinor).toBe(amountMinor);
            expect((boughtMinor + 1n) * left > soldMinor * right).toBe(true);
          } else {
            expect(boughtMinor).toBe(amountMinor);
            expect(boughtMinor * left > (soldMinor - 1n) * right).toBe(true);
          }
          expect(feeMinor * 10_000n >= soldMinor * BigInt(feeBasisPoints)).toBe(true);
          // Above the middle rate exactly where what is bought of a whole unit is worth more than it: rate · buyUsd > sellUsd.
          const minorOf = (text: string) => BigInt(text.replace('.', ''));
          const isAbove = rate * minorOf(buy.usd) > minorOf(sell.usd) * 10n ** 12n;
          expect(spreadBasisPoints === null).toBe(isAbove);
        },
      ),
    );
  });
});
