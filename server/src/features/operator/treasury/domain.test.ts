import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseSources, forecast, freeMinor, isTankLow } from './domain.ts';

const ether = 10n ** 18n;

describe('how long the gas tank lasts', () => {
  const quiet = { balanceMinor: 10n * ether, spent7Minor: 0n, spent30Minor: 0n, observedDays: 0 };

  test('is not known before the first report, nor where nothing is spent', () => {
    expect(forecast(quiet)).toEqual({ perDayMinor: 0n, daysLeft: null });
    expect(forecast({ ...quiet, balanceMinor: null, spent7Minor: ether, observedDays: 7 }).daysLeft).toBeNull();
  });

  test('goes by the higher of the two rates', () => {
    const busyWeek = { ...quiet, spent7Minor: 7n * ether, spent30Minor: 7n * ether, observedDays: 90 };
    expect(forecast(busyWeek)).toEqual({ perDayMinor: ether, daysLeft: 10 });
    const quietWeek = { ...quiet, spent7Minor: 0n, spent30Minor: 60n * ether, observedDays: 90 };
    expect(forecast(quietWeek)).toEqual({ perDayMinor: 2n * ether, daysLeft: 5 });
  });

  test('divides what a young tank spent by its own days', () => {
    const young = { ...quiet, spent7Minor: 4n * ether, spent30Minor: 4n * ether, observedDays: 1.2 };
    expect(forecast(young)).toEqual({ perDayMinor: 2n * ether, daysLeft: 5 });
  });

  test('never promises more than the balance', () => {
    const amounts = fc.bigInt({ min: 0n, max: 1000n * ether });
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        fc.double({ min: 0, max: 400, noNaN: true }),
        (balance, week, rest, days) => {
          const figures = { balanceMinor: balance, spent7Minor: week, spent30Minor: week + rest, observedDays: days };
          const { perDayMinor, daysLeft } = forecast(figures);
          if (daysLeft !== null) expect(perDayMinor * BigInt(daysLeft)).toBeLessThanOrEqual(balance);
          expect(perDayMinor * 30n).toBeGreaterThanOrEqual(figures.spent30Minor);
        },
      ),
    );
  });

  test('is low below the days or the payments of its threshold', () => {
    const threshold = { warnDays: 7, warnPayments: 20 };
    expect(isTankLow({ daysLeft: 7, paymentsLeft: 20 }, threshold)).toBe(false);
    expect(isTankLow({ daysLeft: 6, paymentsLeft: 20 }, threshold)).toBe(true);
    expect(isTankLow({ daysLeft: 7, paymentsLeft: 19 }, threshold)).toBe(true);
    expect(isTankLow({ daysLeft: 7, paymentsLeft: 20 }, { ...threshold, warnDays: 8 })).toBe(true);
    expect(isTankLow({ daysLeft: null, paymentsLeft: null }, threshold)).toBe(false);
  });
});

describe('from which wallets fees are collected', () => {
  const wallet = fc.record({
    companyId: fc.uuid(),
    walletId: fc.uuid(),
    feeMinor: fc.bigInt({ min: 0n, max: 10_000n }),
    underWayMinor: fc.bigInt({ min: 0n, max: 10_000n }),
    frozen: fc.boolean(),
  });

  test('takes all that is free of each, the largest first, none below the minimum, none frozen, none twice', () => {
    fc.assert(
      fc.property(fc.array(wallet, { maxLength: 150 }), fc.bigInt({ min: 0n, max: 5000n }), (wallets, minimum) => {
        const chosen = chooseSources(wallets, minimum);
        expect(chosen.length).toBeLessThanOrEqual(100);
        for (const [index, { source, amountMinor }] of chosen.entries()) {
          expect(source.frozen).toBe(false);
          expect(amountMinor).toBe(freeMinor(source));
          expect(amountMinor + source.underWayMinor).toBe(source.feeMinor);
          expect(amountMinor >= minimum && amountMinor > 0n).toBe(true);
          if (index > 0) expect(amountMinor <= (chosen[index - 1]?.amountMinor ?? 0n)).toBe(true);
        }
        const left = wallets.filter((each) => !chosen.some(({ source }) => source === each));
        const smallest = chosen.at(-1)?.amountMinor ?? 0n;
        for (const each of left.filter(({ frozen }) => !frozen)) {
          const free = freeMinor(each);
          expect(free === 0n || free < minimum || (chosen.length === 100 && free <= smallest)).toBe(true);
        }
      }),
    );
  });
});
