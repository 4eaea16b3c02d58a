import { parseAmount } from '@causeway/contract/money.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionsOn, dueOf, isPayable, judge, type Payment, remainingOf, type Standing } from './domain.ts';
import { coinFor, exactly, stepOf, valueIn, wholeAtLeast, wholeOf } from './values.ts';

const start = new Date('2026-11-01T00:00:00Z');
const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** 100.00 USD within a day. */
const standing: Standing = {
  ...{ kind: 'single', pricing: 'currency', amountMinor: 10_000n, toleranceMinor: 0n, decimals: 2, isOpened: true },
  periods: [{ startsAt: start, expiresAt: at(24) }],
  methods: [{ decimals: 6, minimumMinor: 1n, rate: '1' }],
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

const parsed = (text: string, decimals: number) => {
  const amount = parseAmount(text, decimals);
  return amount.ok ? amount.minor : null;
};

describe('values', () => {
  const minors = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const coins = fc.constantFrom(0, 6, 8, 18);
  const currencies = fc.constantFrom(0, 2, 3);

  test('what is asked in a coin is worth the amount, and less than one step of the coin more', () => {
    fc.assert(
      fc.property(minors, rate, coins, currencies, (minor, price, decimals, of) => {
        const worth = (quantity: bigint) => valueIn({ minor: quantity, decimals }, price, of);
        const step = stepOf(decimals, price, of);
        const asked = coinFor(exactly(minor), decimals, price, of);
        expect(worth(asked) >= exactly(minor) && worth(asked - step) < exactly(minor)).toBe(true);
        // Wallets send eight decimals.
        const finest = 10n ** BigInt(Math.max(decimals - 8, 0));
        expect(asked % finest).toBe(0n);
        const isFine = worth(finest) < exactly(1n);
        // The coarsest step below a minor unit of the currency, where the coin can be sent as fine as that.
        if (isFine) expect(worth(step) < exactly(1n) && worth(step * 10n) >= exactly(1n)).toBe(true);
        else expect(step).toBe(finest);
        if (isFine) expect(wholeOf(worth(asked))).toBe(minor);
      }),
    );
  });

  test('what is asked in a coin and paid exactly settles the request, at each rate of each coin, and is not too much', () => {
    fc.assert(
      fc.property(minors, rate, coins, currencies, (amountMinor, price, decimals, of) => {
        const asking: Standing = {
          ...{ ...standing, amountMinor, decimals: of },
          methods: [{ decimals, minimumMinor: 1n, rate: price }],
        };
        const due = dueOf(asking, { decimals, minimumMinor: 1n, rate: price }, exactly(amountMinor)) ?? 0n;
        const paid = received(due, { decimals, rate: price });
        const judged = judge(asking, [paid], at(2));
        expect(judged).toMatchObject({ state: 'settled', causes: [] });
        expect([remainingOf(asking, judged), isPayable(asking, judged, at(2))]).toEqual([0n, false]);
      }),
    );
  });

  test.each([
    ['1000.00 HKD in ETH', 100_000n, 18, '26500.12345678', '0.0377357'],
    ['1000.00 HKD in USDT', 100_000n, 6, '7.79147070955', '128.346'],
    ['1000.00 HKD in BTC', 100_000n, 8, '745095.2', '0.00134212'],
    ['0.01 HKD in USDT', 1n, 6, '7.79147070955', '0.002'],
    ['33.33 USD in a coin of one dollar', 3333n, 6, '1', '33.33'],
    ['100.00 HKD in a coin of little worth', 10_000n, 18, '0.0000875', '1142900'],
  ])('%s is asked for in digits that a payer can send', (_, minor, decimals, price, text) => {
    expect(coinFor(exactly(minor), decimals, price, 2)).toBe(parsed(text, decimals));
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
        // A coin whose finest step is worth more than a cent cannot pay to the cent.
        fc.pre(
          each.every(({ price }) => valueIn({ minor: stepOf(decimals, price, 2), decimals }, price, 2) < exactly(1n)),
        );
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

/** 100 units of a coin of six decimals within a day, with a tolerance of 5. */
const inCoin: Standing = { ...standing, pricing: 'coin', amountMinor: 100n, toleranceMinor: 5n, decimals: 6 };
const reusable: Standing = { ...inCoin, kind: 'reusable', periods: [{ startsAt: start, expiresAt: null }] };
const received = (quantityMinor: bigint, also: Partial<Payment> = {}): Payment => ({
  ...{ id: 'a', isAccepted: true, arrivedAt: at(1), state: 'credited', quantityMinor, decimals: 6 },
  ...{ rate: null, refundedMinor: 0n, isDecided: false, ...also },
});

describe('at its edge', () => {
  test.each([
    ['what lacks exactly the tolerance is enough', inCoin, 95n, 'settled', []],
    ['one unit less is a part', inCoin, 94n, 'open', []],
    ['what is exactly the tolerance more is right', inCoin, 105n, 'settled', []],
    ['one unit more is too much', inCoin, 106n, 'unresolved', ['overpaid']],
    ['of a reusable request what lacks exactly the tolerance is enough', reusable, 95n, 'open', []],
    ['and one unit less is too little', reusable, 94n, 'unresolved', ['underpaid']],
    ['and one unit more is too much', reusable, 106n, 'unresolved', ['overpaid']],
  ] as const)('%s', (_, of, quantityMinor, state, causes) => {
    expect(judge(of, [received(quantityMinor)], at(2))).toMatchObject({ state, causes });
  });

  test.each([
    ['the moment that a period begins is in it', inCoin, start, []],
    ['the moment that it ends is not', inCoin, at(24), ['late']],
    [
      'a reusable request is cancelled from that moment on',
      { ...reusable, cancelledAt: at(1) },
      at(1),
      ['after_cancel'],
    ],
    ['and what came before is not late', { ...reusable, cancelledAt: at(1) }, new Date(at(1).getTime() - 1), []],
  ] as const)('%s', (_, of, arrivedAt, causes) => {
    expect(judge(of, [received(100n, { arrivedAt })], at(48)).causes).toEqual(causes);
  });

  test('what lacks and is too little to be sent must be decided on, and is not asked for', () => {
    const [usdt, btc] = [
      { decimals: 6, minimumMinor: 1_000_000n, rate: '7.8' },
      { decimals: 8, minimumMinor: 1_000n, rate: '745095.2' },
    ];
    const hkd: Standing = { ...standing, amountMinor: 100_000n, methods: [usdt, btc] };
    const after = (minor: bigint, also: Partial<Payment> = {}, of = hkd) => {
      const payments = [received(minor, { decimals: 2, rate: '1', ...also })];
      const judged = judge(of, payments, at(2));
      const { askRest, accept, refund } = decisionsOn(of, payments, judged, at(2));
      const dues = of.methods.map((method) => dueOf(of, method, remainingOf(of, judged) ?? 0n));
      return { ...judged, dues, can: { askRest, accept, refund }, isPayable: isPayable(of, judged, at(2)) };
    };
    // 7.80 HKD is the least in USDT, 7.46 HKD the least in BTC.
    const both = { state: 'open', isPayable: true, dues: [1_000_000n, 1047n] };
    expect(after(99_220n)).toMatchObject(both);
    expect(after(99_250n)).toMatchObject({ state: 'open', isPayable: true, dues: [null, 1007n] });
    const none = { isPayable: false, dues: [null, null] };
    expect(after(99_999n)).toMatchObject({
      ...none,
      ...{ state: 'unresolved', causes: ['underpaid'], can: { askRest: false, accept: true, refund: true } },
    });
    expect(after(99_999n, { state: 'seen' })).toMatchObject({ ...none, state: 'processing', causes: [] });
    expect(after(99_999n, {}, { ...hkd, toleranceMinor: 1n })).toMatchObject({ state: 'settled', causes: [] });
    // What was given back in part lacks again, and can be sent.
    expect(after(99_999n, { refundedMinor: 50_000n })).toMatchObject({ state: 'open', isPayable: true });
  });

  test('nothing more is asked for once no more than the tolerance lacks', () => {
    const payable = (quantityMinor: bigint) => {
      const payments = [received(quantityMinor)];
      return isPayable(inCoin, judge(inCoin, payments, at(2)), at(2));
    };
    expect([payable(94n), payable(95n)]).toEqual([true, false]);
  });
});

type Decision = keyof ReturnType<typeof decisionsOn>;

describe('a decision', () => {
  const can = (of: Standing, payments: readonly Payment[] = [], now = at(2)) =>
    decisionsOn(of, payments, judge(of, payments, now), now);
  const part = [received(40n)];
  const accepted = { ...inCoin, closed: { as: 'accepted' as const, valueMinor: 40n } };
  const cancelled = { ...inCoin, cancelledAt: at(1) };

  test.each<[Decision, string, Standing, readonly Payment[]]>([
    ['cancel', 'of a request that nothing came to', inCoin, []],
    ['cancel', 'after all that came was given back', inCoin, [received(40n, { refundedMinor: 40n })]],
    ['cancel', 'of a reusable request, whatever came', reusable, [received(100n)]],
    ['accept', 'of a part as it is', inCoin, part],
    ['accept', 'of what must be decided', inCoin, [received(106n)]],
    ['askRest', 'of a part', inCoin, part],
    ['settleByHand', 'of a request that nothing came to', inCoin, []],
    ['settleByHand', 'of a part', inCoin, part],
    ['refund', 'of what was credited', accepted, [received(40n, { isDecided: true })]],
    ['edit', 'of what must be decided', inCoin, [received(106n)]],
  ])('can be to %s: %s', (decision, _, of, payments) => {
    expect(can(of, payments)[decision]).toBe(true);
  });

  test.each<[Decision, string, Standing, readonly Payment[], Date?]>([
    ['cancel', 'twice', cancelled, []],
    ['cancel', 'after a decision', accepted, [received(40n, { isDecided: true, refundedMinor: 40n })]],
    ['cancel', 'after its end', inCoin, [], at(24)],
    ['cancel', 'of a reusable request after its end', { ...reusable, periods: inCoin.periods }, [], at(24)],
    ['cancel', 'after something was seen', inCoin, [received(1n, { state: 'seen' })]],
    ['cancel', 'after it was paid', inCoin, [received(100n)]],
    ['cancel', 'where the tolerance is all', { ...inCoin, toleranceMinor: 100n }, []],
    ['accept', 'before anything was credited', inCoin, [received(40n, { state: 'seen' })]],
    ['accept', 'after it was paid', inCoin, [received(100n)]],
    ['accept', 'after all of it was given back', inCoin, [received(40n, { refundedMinor: 40n })]],
    ['accept', 'where nothing of a reusable request must be decided', reusable, [received(100n)]],
    ['askRest', 'of a reusable request', reusable, [received(94n)]],
    ['askRest', 'after a decision', accepted, [received(40n, { isDecided: true })]],
    ['askRest', 'of a request that was cancelled', cancelled, part],
    ['askRest', 'before anything was credited', inCoin, [received(40n, { state: 'seen' })]],
    ['askRest', 'where another coin came', inCoin, [received(40n, { isAccepted: false })]],
    ['askRest', 'where no more than the tolerance lacks', inCoin, [received(96n)]],
    ['askRest', 'of more than the amount', inCoin, [received(106n)]],
    ['askRest', 'of the amount that came late', inCoin, [received(100n, { arrivedAt: at(24) })]],
    ['settleByHand', 'of a reusable request', reusable, [received(94n)]],
    ['settleByHand', 'after a decision', { ...accepted, closed: { as: 'by_hand', valueMinor: 0n } }, [received(40n)]],
    ['settleByHand', 'of a request that was cancelled', cancelled, part],
    ['settleByHand', 'after it was paid', inCoin, [received(100n)]],
    ['refund', 'of what is seen and not credited', inCoin, [received(40n, { state: 'seen' })]],
    ['refund', 'of what was given back', inCoin, [received(40n, { refundedMinor: 40n })]],
    ['edit', 'after it was paid', inCoin, [received(100n)]],
    ['edit', 'after its end', inCoin, [], at(24)],
    ['edit', 'of a request that was cancelled', cancelled, []],
    ['remind', 'after its end', inCoin, [], at(24)],
    ['remind', 'before its addresses are open', { ...inCoin, isOpened: false }, []],
    ['remind', 'of a request that was cancelled', cancelled, []],
    ['remind', 'after a decision', accepted, [received(40n, { isDecided: true })]],
    ['remind', 'where no more than the tolerance lacks', inCoin, [received(95n)]],
  ])('cannot be to %s %s', (decision, _, of, payments, now) => {
    expect(can(of, payments, now)[decision]).toBe(false);
  });
});
