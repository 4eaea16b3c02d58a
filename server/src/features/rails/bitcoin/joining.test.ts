import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dustThreshold, feeOf, type ScriptKind, vsizeOf, weightOf } from '../../chains/index.ts';
import { type Coin, isLacking, selectCoins } from './coin-selection.ts';
import { feeShares } from './fee-shares.ts';
import { type Candidate, joinPayments } from './joining.ts';

/** Which payments go out together, and what each pays: by examples, and whatever the coins, amounts and promises are. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8) * 25;
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);

let made = 0;
const coin = (amountMinor: bigint, isConfirmed = true): Coin => {
  made += 1;
  return { key: `${made.toString(16).padStart(64, '0')}:0`, amountMinor, isConfirmed };
};
let payments = 0;
const pay = (amountMinor: bigint, promisedMinor: bigint, kind: ScriptKind = 'p2wpkh'): Candidate => {
  payments += 1;
  return { id: `payment ${payments}`, payment: { kind, amountMinor }, promisedMinor };
};
const terms = { feeRate: 10, floorRate: 1, longTermFeeRate: 5 };
const idsOf = (joint: ReturnType<typeof joinPayments>) => joint?.payments.map(({ id }) => id) ?? null;
/** At 10 satoshis a virtual byte, of one input and change. */
const usualMinor = feeOf(vsizeOf(1, ['p2wpkh', 'p2wpkh']), 10_000n);

describe('payments are joined', () => {
  test('where one transaction pays them all at the rate, for less than each was promised to pay', () => {
    const candidates = [1, 2, 3].map(() => pay(50_000n, usualMinor));
    const joint = joinPayments(candidates, { ...terms, coins: [coin(1_000_000n)] });
    expect(idsOf(joint)).toEqual(candidates.map(({ id }) => id));
    const vsize = vsizeOf(1, ['p2wpkh', 'p2wpkh', 'p2wpkh', 'p2wpkh']);
    expect(joint?.selection).toMatchObject({ vsize, feeMinor: feeOf(vsize, 10_000n) });
    expect(joint?.selection.changeMinor).toBe(1_000_000n - 150_000n - feeOf(vsize, 10_000n));
    // 2,030 for 203 virtual bytes, of which each output has 31: a third of it each, the remainder to the first.
    expect(joint?.sharesMinor).toEqual([678n, 676n, 676n]);
  });

  test('at the highest rate that one of them was promised', () => {
    const [slow, fast] = [pay(50_000n, usualMinor), pay(50_000n, usualMinor * 2n)];
    const joint = joinPayments([slow, fast], { ...terms, coins: [coin(1_000_000n)] });
    const vsize = vsizeOf(1, ['p2wpkh', 'p2wpkh', 'p2wpkh']);
    expect(joint?.selection.feeMinor).toBe(feeOf(vsize, 20_000n));
    expect(sum(joint?.sharesMinor ?? [])).toBe(feeOf(vsize, 20_000n));
    expect((joint?.sharesMinor[0] ?? 0n) <= usualMinor).toBe(true);
  });

  test('at most a hundred of them, those that come first', () => {
    const candidates = Array.from({ length: 103 }, () => pay(10_000n, usualMinor));
    const joint = joinPayments(candidates, { ...terms, coins: [coin(10_000_000n)] });
    expect(idsOf(joint)).toEqual(candidates.slice(0, 100).map(({ id }) => id));
  });
});

describe('a payment goes without another', () => {
  test('that is the only one, and without any where it cannot go alone', () => {
    const coins = [coin(100_000n)];
    expect(joinPayments([pay(50_000n, usualMinor)], { ...terms, coins })).toBeNull();
    expect(joinPayments([pay(100_000n, usualMinor), pay(10_000n, usualMinor)], { ...terms, coins })).toBeNull();
    expect(joinPayments([], { ...terms, coins })).toBeNull();
  });

  test('whose coins are not there, or whose promise nodes forward for nothing', () => {
    const [first, rich, poor, third] = [
      pay(50_000n, usualMinor),
      pay(5_000_000n, usualMinor),
      pay(10_000n, 20n),
      pay(20_000n, usualMinor),
    ];
    const joint = joinPayments([first, rich, poor, third], { ...terms, coins: [coin(200_000n)] });
    expect(idsOf(joint)).toEqual([first.id, third.id]);
  });

  test('with which it would cost more than both were promised', () => {
    // Three coins for the second alone, at a rate that its promise just reaches, while the first one's promise is for a rate ten times that.
    const [first, second, third] = [
      pay(90_000n, usualMinor * 10n),
      pay(290_000n, 300n),
      pay(90_000n, usualMinor * 10n),
    ];
    const joint = joinPayments([first, second, third], { ...terms, coins: [1, 2, 3, 4, 5].map(() => coin(110_000n)) });
    expect(idsOf(joint)).toEqual([first.id, third.id]);
  });

  test('with which it would wait for change of another payment', () => {
    const [first, second, third] = [pay(50_000n, usualMinor), pay(60_000n, usualMinor), pay(20_000n, usualMinor)];
    const coins = [coin(100_000n), coin(1_000_000n, false)];
    expect(idsOf(joinPayments([first, second, third], { ...terms, coins }))).toEqual([first.id, third.id]);
    // All of them wait for it anyway.
    const waiting = [coin(1_000_000n, false)];
    expect(idsOf(joinPayments([first, second, third], { ...terms, coins: waiting }))).toHaveLength(3);
  });
});

const kind = fc.constantFrom<ScriptKind>('p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr');
const candidates = fc.array(
  fc.record({
    id: fc.uuid(),
    payment: fc.record({ kind, amountMinor: fc.bigInt({ min: 546n, max: 300_000n }) }),
    promisedMinor: fc.oneof(fc.bigInt({ min: 1n, max: 3_000n }), fc.bigInt({ min: 1_000n, max: 60_000n })),
  }),
  { minLength: 1, maxLength: 12 },
);
const pool = fc
  .array(fc.record({ amountMinor: fc.bigInt({ min: 1n, max: 900_000n }), isConfirmed: fc.boolean() }), {
    maxLength: 20,
  })
  .map((all): Coin[] => all.map((each, index) => ({ ...each, key: `${index.toString(16).padStart(64, '0')}:0` })));

describe('whatever the coins, amounts and promises are', () => {
  test('a joint transaction adds up, serves each as well as alone, and its shares are its fee', () => {
    let joints = 0;
    fc.assert(
      fc.property(candidates, pool, (all, coins) => {
        const joint = joinPayments(all, { ...terms, coins });
        expect(joinPayments(all, { ...terms, coins: [...coins].reverse() })).toEqual(joint);
        if (joint === null) return;
        joints += 1;
        const { payments: joined, selection, sharesMinor } = joint;
        expect(joined.length).toBeGreaterThan(1);
        expect(joined[0]).toBe(all[0]);
        expect(new Set(joined).size).toBe(joined.length);
        const paidMinor = sum(joined.map(({ payment }) => payment.amountMinor));
        expect(sum(selection.inputs.map(({ amountMinor }) => amountMinor))).toBe(
          paidMinor + selection.feeMinor + selection.changeMinor,
        );
        expect(selection.changeMinor === 0n || selection.changeMinor >= dustThreshold('p2wpkh')).toBe(true);
        expect(sum(sharesMinor)).toBe(selection.feeMinor);
        for (const [place, { id, payment, promisedMinor }] of joined.entries()) {
          expect(sharesMinor[place] ?? -1n).toBeGreaterThanOrEqual(0n);
          expect((sharesMinor[place] ?? 0n) <= promisedMinor).toBe(true);
          const alone = selectCoins({
            ...{ ...terms, coins, mode: 'exact-fee', changeKind: 'p2wpkh', seed: id },
            ...{ outputs: [payment], feeMinor: promisedMinor },
          });
          if (isLacking(alone)) throw new Error('what cannot go alone is not joined');
          // No lower rate than alone, and no change that waits where alone needs none.
          expect(selection.feeMinor * BigInt(alone.vsize) >= alone.feeMinor * BigInt(selection.vsize)).toBe(true);
          const isConfirmed = alone.inputs.every((input) => input.isConfirmed);
          if (isConfirmed) expect(selection.inputs.every((input) => input.isConfirmed)).toBe(true);
        }
      }),
      { numRuns: rounds },
    );
    expect(joints).toBeGreaterThan(rounds / 20);
  });

  test('shares are the fee to the satoshi, none above its promise, and equal where outputs and promises are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ kind, promisedMinor: fc.bigInt({ min: 0n, max: 20_000n }) }), {
          minLength: 1,
          maxLength: 100,
        }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(),
        fc.boolean(),
        (payees, inputs, part, hasChange) => {
          const promisedMinor = payees.map((payee) => payee.promisedMinor);
          const feeMinor = (sum(promisedMinor) * BigInt(part % 1001)) / 1000n;
          const kinds = payees.map((payee) => payee.kind);
          const shared = { feeMinor, inputs, kinds, changeKind: hasChange ? ('p2wpkh' as const) : null, promisedMinor };
          const shares = feeShares(shared);
          expect(sum(shares)).toBe(feeMinor);
          expect(feeShares(shared)).toEqual(shares);
          for (const [place, share] of shares.entries()) {
            expect(share >= 0n && share <= (promisedMinor[place] ?? 0n)).toBe(true);
            const twin = payees.findIndex(
              (payee, other) =>
                other > place && payee.kind === kinds[place] && payee.promisedMinor === promisedMinor[place],
            );
            // What division leaves over goes to the payments that come first.
            if (place > 0 && twin > 0) {
              const apart = share - (shares[twin] ?? 0n);
              expect(apart >= -BigInt(payees.length) && apart <= BigInt(payees.length)).toBe(true);
            }
          }
        },
      ),
      { numRuns: rounds },
    );
  });

  test('a share follows its own output and an equal part of the rest', () => {
    const kinds: ScriptKind[] = ['p2wpkh', 'p2tr', 'p2pkh'];
    const weight = weightOf(2, [...kinds, 'p2wpkh']);
    const feeMinor = BigInt(weight) * 300n;
    const shares = feeShares({
      feeMinor,
      inputs: 2,
      kinds,
      changeKind: 'p2wpkh',
      promisedMinor: kinds.map(() => feeMinor),
    });
    const [first = 0n, second = 0n, third = 0n] = shares;
    // Four units of weight for each byte of a script that is longer, at three hundred satoshis each.
    expect([second - first, third - first]).toEqual([12n * 1_200n, 3n * 1_200n]);
    expect(first + second + third).toBe(feeMinor);
  });

  test('what all promises do not cover is the first payment’s', () => {
    const shared = { inputs: 1, kinds: [], changeKind: 'p2wpkh' as const };
    expect(feeShares({ ...shared, feeMinor: 1_000n, promisedMinor: [100n, 200n] })).toEqual([800n, 200n]);
    expect(feeShares({ ...shared, feeMinor: 1_001n, promisedMinor: [9_000n, 9_000n] })).toEqual([501n, 500n]);
  });
});
