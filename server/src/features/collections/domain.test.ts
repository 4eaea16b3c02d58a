import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPayable, judge, type Payment, remainingOf, type Standing } from './domain.ts';
import { coinFor, exactly, valueIn, wholeAtLeast, wholeOf } from './values.ts';

const start = new Date('2026-11-01T00:00:00Z');
const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** 100.00 USD within a day. */
const standing: Standing = {
  ...{ kind: 'single', pricing: 'currency', amountMinor: 10_000n, toleranceMinor: 0n, decimals: 2, isOpened: true },
  periods: [{ startsAt: start, expiresAt: at(24) }],
  closed: null,
  cancelledAt: null,
};

const rate = fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => {
  const text = String(digits).padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
});

const payment: fc.Arbitrary<Payment> = fc.record({
  id: fc.uuid(),
  isAccepted: fc.boolean(),
  arrivedAt: fc.integer({ min: 0, max: 48 }).map(at),
  state: fc.constantFrom('seen', 'credited', 'taken_back'),
  quantityMinor: fc.bigInt({ min: 1n, max: 200_000_000n }),
  decimals: fc.constantFrom(6, 8),
  rate: fc.oneof(rate, fc.constant(null)),
  refundedMinor: fc.constant(0n),
  isDecided: fc.boolean(),
});

describe('values', () => {
  test('what is asked in a coin is worth the amount, and less than one unit of the coin more', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        rate,
        fc.constantFrom(6, 8, 18),
        (minor, price, decimals) => {
          const coins = coinFor(exactly(minor), decimals, price, 2);
          expect(valueIn({ minor: coins, decimals }, price, 2) >= exactly(minor)).toBe(true);
          expect(valueIn({ minor: coins - 1n, decimals }, price, 2) < exactly(minor)).toBe(true);
        },
      ),
    );
  });

  test('an amount paid in parts, each of what lacks at its own rate, is settled by the last of them', () => {
    const parts = fc.array(fc.record({ price: rate, share: fc.integer({ min: 1, max: 99 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(parts, fc.constantFrom(6, 8, 18), (each, decimals) => {
        const payments: Payment[] = [];
        const pay = (quantityMinor: bigint, price: string) =>
          payments.push({
            ...{
              id: String(payments.length),
              isAccepted: true,
              arrivedAt: at(1),
              state: 'credited',
              quantityMinor,
              decimals,
            },
            ...{ rate: price, refundedMinor: 0n, isDecided: false },
          });
        // A coin whose unit is worth more than a cent cannot pay to the cent.
        fc.pre(each.every(({ price }) => valueIn({ minor: 1n, decimals }, price, 2) < exactly(1n)));
        for (const [place, { price, share }] of each.entries()) {
          const rest = remainingOf(standing, judge(standing, payments, at(2))) ?? 0n;
          const all = coinFor(rest, decimals, price, 2);
          const quantity = place === each.length - 1 ? all : (all * BigInt(share)) / 100n;
          if (quantity > 0n) pay(quantity, price);
        }
        expect(judge(standing, payments, at(2))).toMatchObject({ state: 'settled', causes: [] });
      }),
    );
  });
});

describe('the judgement', () => {
  test('depends on no order, names a cause exactly where it is unresolved, and hides nothing that must be decided', () => {
    const some = fc.array(payment, { maxLength: 8 });
    const closed = fc.option(
      fc.record({ as: fc.constantFrom('accepted' as const, 'by_hand' as const), valueMinor: fc.constant(0n) }),
    );
    const cancelledAt = fc.option(fc.constant(at(30)));
    fc.assert(
      fc.property(some, closed, cancelledAt, fc.integer({ min: 0, max: 72 }), (payments, closing, cancelling, hour) => {
        const of = { ...standing, closed: closing, cancelledAt: cancelling };
        const judged = judge(of, payments, at(hour));
        expect(judge(of, payments.toReversed(), at(hour))).toMatchObject({
          state: judged.state,
          causes: judged.causes,
        });
        expect(judged.state === 'unresolved').toBe(judged.causes.length > 0);
        const pressing = payments.some(
          ({ state, isDecided, isAccepted, arrivedAt }) =>
            state === 'credited' &&
            !isDecided &&
            (!isAccepted || arrivedAt >= at(24) || closing !== null || cancelling !== null),
        );
        if (pressing) expect(judged.state).toBe('unresolved');
        const undecided = payments.filter(({ state, isDecided }) => state === 'credited' && !isDecided);
        const isLate = undecided.some(({ isAccepted, arrivedAt }) => isAccepted && arrivedAt >= at(24));
        expect(judged.causes.includes('wrong_coin')).toBe(undecided.some(({ isAccepted }) => !isAccepted));
        expect(judged.causes.includes('late')).toBe(isLate && (closing !== null || cancelling === null));
        if (payments.every(({ state }) => state === 'taken_back') && closing === null && cancelling === null) {
          expect(judged.state).toBe(hour < 24 ? 'open' : 'expired');
        }
        const rest = remainingOf(of, judged) ?? 0n;
        expect(rest >= 0n).toBe(true);
        if (isPayable(of, judged, at(hour)))
          expect(hour < 24 && closing === null && cancelling === null && rest > 0n).toBe(true);
      }),
    );
  });

  test('adds up what was credited, by each rate', () => {
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 8 }), (payments) => {
        const { paid } = judge(standing, payments, at(1));
        const counted = payments.filter((each) => each.isAccepted && each.state === 'credited' && each.rate !== null);
        const sum = counted.reduce(
          (total, { quantityMinor, decimals, rate: price }) =>
            total + valueIn({ minor: quantityMinor, decimals }, price ?? '1', 2),
          0n,
        );
        expect(paid).toBe(sum);
        expect(wholeOf(paid) <= wholeAtLeast(paid)).toBe(true);
      }),
    );
  });
});
