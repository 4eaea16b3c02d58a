import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dustThreshold, feeOf, milliRate, mostInputs, type ScriptKind, vsizeOf } from '../../chains/index.ts';
import {
  type Coin,
  isLacking,
  type Selection,
  type SelectionRequest,
  selectAll,
  selectCoins,
} from './coin-selection.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8) * 25;

const sum = (amounts: readonly { amountMinor: bigint }[]) =>
  amounts.reduce((all, { amountMinor }) => all + amountMinor, 0n);
const keysOf = (coins: readonly Coin[]) => coins.map(({ key }) => key).sort();
let made = 0;
const coin = (amountMinor: bigint, isConfirmed = true): Coin => {
  made += 1;
  return { key: `${made.toString(16).padStart(64, '0')}:0`, amountMinor, isConfirmed };
};
const coins = (...amounts: bigint[]) => amounts.map((amount) => coin(amount));

function selected<C extends Coin>(request: SelectionRequest<C>): Selection<C> {
  const found = selectCoins(request);
  if (isLacking(found)) throw new Error(`${found.lacking} is lacking`);
  return found;
}

const usual = {
  mode: 'rate',
  feeRate: 5,
  longTermFeeRate: 10,
  changeKind: 'p2wpkh',
  seed: 'a payment',
} as const;
const paying = (amountMinor: bigint, kind: ScriptKind = 'p2wpkh') => [{ kind, amountMinor }];

// Amounts of every size, many of them equal, many of them dust at the rate.
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 2_000n }),
  fc.bigInt({ min: 1_000n, max: 100_000n }),
  fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n }),
  fc.constantFrom(546n, 10_000n, 100_000n),
);
const pool = fc
  .array(fc.record({ amountMinor: amount, isConfirmed: fc.boolean() }), { minLength: 0, maxLength: 30 })
  .map((all): Coin[] => all.map((each, index) => ({ ...each, key: `${index.toString(16).padStart(64, '0')}:0` })));
const kind = fc.constantFrom<ScriptKind>('p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr');
const rate = fc.integer({ min: 1000, max: 400_000 }).map((milli) => milli / 1000);
const request = fc
  .record({
    coins: pool,
    outputs: fc.array(fc.record({ kind, amountMinor: fc.bigInt({ min: 546n, max: 300_000n }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    feeRate: rate,
    longTermFeeRate: rate,
    changeKind: fc.constantFrom<ScriptKind>('p2wpkh', 'p2tr'),
    consolidate: fc.integer({ min: 0, max: 10 }),
    seed: fc.string(),
  })
  .map((all) => ({ ...all, mode: 'rate' as const }));

/** What holds of every selection. */
function check(request: SelectionRequest<Coin>, found: Selection<Coin>): void {
  expect(sum(found.inputs)).toBe(sum(request.outputs) + found.feeMinor + found.changeMinor);
  expect(found.changeMinor === 0n || found.changeMinor >= dustThreshold(request.changeKind)).toBe(true);
  expect(new Set(keysOf(found.inputs)).size).toBe(found.inputs.length);
  for (const input of found.inputs) expect(request.coins).toContain(input);
  const kinds = request.outputs.map(({ kind }) => kind);
  const paid = found.changeMinor > 0n ? [...kinds, request.changeKind] : kinds;
  expect(found.vsize).toBe(vsizeOf(found.inputs.length, paid));
}

describe('any selection at a rate', () => {
  test('spends what it pays, has no dust, and a fee of the rate and at most what change would not have been worth', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const found = selectCoins(asked);
        if (isLacking(found)) {
          expect(found.lacking).toBeGreaterThan(0n);
          return;
        }
        check(asked, found);
        const milli = milliRate(asked.feeRate);
        const due = feeOf(found.vsize, milli);
        const dust = dustThreshold(asked.changeKind);
        const spending = feeOf(68, milliRate(asked.longTermFeeRate));
        // Change that is left out: dust or what it would cost to spend it, and its own bytes (43 at most).
        const leftOut = (dust > spending ? dust : spending) + feeOf(43, milli);
        expect(found.feeMinor).toBeGreaterThanOrEqual(due);
        expect(found.feeMinor).toBeLessThanOrEqual(due + (found.changeMinor > 0n ? 0n : leftOut));
        for (const input of found.inputs) expect(input.amountMinor * 1000n).toBeGreaterThan(68n * milli);
      }),
      { numRuns: rounds },
    );
  });

  test('is the same for the same coins in any order', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const turned = { ...asked, coins: [...asked.coins].reverse() };
        expect(selectCoins(turned)).toEqual(selectCoins(asked));
      }),
      { numRuns: rounds },
    );
  });

  test('is found whenever the coins that are worth their cost suffice', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const milli = milliRate(asked.feeRate);
        const worth = asked.coins.filter(({ amountMinor }) => amountMinor * 1000n > 68n * milli);
        const kinds = asked.outputs.map(({ kind }) => kind);
        const due = sum(asked.outputs) + feeOf(vsizeOf(Math.max(1, worth.length), kinds), milli);
        const found = selectCoins(asked);
        expect(isLacking(found)).toBe(sum(worth) < due);
        if (isLacking(found)) expect(found).toEqual({ lacking: due - sum(worth), limit: 'coins' });
      }),
      { numRuns: rounds },
    );
  });

  test('spends the company’s waiting change only where confirmed coins do not suffice', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const found = selectCoins(asked);
        const confirmed = { ...asked, coins: asked.coins.filter(({ isConfirmed }) => isConfirmed) };
        if (isLacking(found) || isLacking(selectCoins(confirmed))) return;
        expect(found.inputs.every(({ isConfirmed }) => isConfirmed)).toBe(true);
      }),
      { numRuns: rounds },
    );
  });
});

describe('at a promised fee', () => {
  const promised = request.chain((asked) =>
    fc
      .record({ feeMinor: fc.bigInt({ min: 100n, max: 60_000n }), floorRate: fc.constantFrom(0.1, 1, 3.5) })
      .map((fee) => ({ ...asked, ...fee, mode: 'exact-fee' as const })),
  );

  test('the miner gets that, less only what change lacks to be no dust, and never less than the floor', () => {
    fc.assert(
      fc.property(promised, (asked) => {
        const found = selectCoins(asked);
        if (isLacking(found)) {
          expect(found.lacking).toBeGreaterThan(0n);
          return;
        }
        check(asked, found);
        const dust = dustThreshold(asked.changeKind);
        expect(found.feeMinor).toBeLessThanOrEqual(asked.feeMinor);
        expect(found.feeMinor).toBeGreaterThanOrEqual(feeOf(found.vsize, milliRate(asked.floorRate)));
        if (found.feeMinor < asked.feeMinor) {
          expect(found.changeMinor).toBe(dust);
          expect(asked.feeMinor - found.feeMinor).toBeLessThan(dust);
        }
      }),
      { numRuns: rounds },
    );
  });

  test('what a rate has selected is selected again, or pays as much with others', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const first = selectCoins(asked);
        if (isLacking(first)) return;
        const again = selected({ ...asked, mode: 'exact-fee', feeMinor: first.feeMinor, floorRate: 0.1 });
        expect(again.feeMinor).toBeLessThanOrEqual(first.feeMinor);
        expect(first.feeMinor - again.feeMinor).toBeLessThan(dustThreshold(asked.changeKind));
      }),
      { numRuns: rounds },
    );
  });

  test('a satoshi of change becomes the least that nodes forward, out of the fee', () => {
    const found = selected({
      ...usual,
      mode: 'exact-fee',
      feeMinor: 2_000n,
      floorRate: 1,
      coins: coins(52_001n),
      outputs: paying(50_000n),
    });
    expect(found).toMatchObject({ changeMinor: 294n, feeMinor: 1_707n });
  });

  test('a fee that nodes do not forward is lacking, by how much', () => {
    const asked = {
      ...usual,
      mode: 'exact-fee',
      feeMinor: 100n,
      floorRate: 1,
      coins: coins(90_000n),
      outputs: paying(50_000n),
    } as const;
    expect(selectCoins(asked)).toEqual({ lacking: BigInt(vsizeOf(1, ['p2wpkh', 'p2wpkh'])) - 100n, limit: 'fee' });
  });

  test('coins that are not worth the rate any more still pay what was promised at a lower one', () => {
    const small = coins(3_000n, 3_000n, 3_000n);
    const asked = {
      ...usual,
      mode: 'exact-fee',
      feeMinor: 600n,
      floorRate: 1,
      feeRate: 100,
      coins: small,
      outputs: paying(8_000n),
    } as const;
    expect(selected(asked)).toMatchObject({ feeMinor: 600n, changeMinor: 400n });
    expect(isLacking(selectCoins({ ...asked, mode: 'rate' }))).toBe(true);
  });
});

describe('what is chosen', () => {
  test('coins that need no change, where they exist', () => {
    const due = 100_000n + feeOf(vsizeOf(2, ['p2wpkh']), milliRate(5));
    const match = coins(60_000n, due - 60_000n);
    const asked = { ...usual, coins: [...coins(1_000_000n, 70_000n, 90_000n), ...match], outputs: paying(100_000n) };
    const found = selected(asked);
    expect(keysOf(found.inputs)).toEqual(keysOf(match));
    expect(found.changeMinor).toBe(0n);
  });

  test('few coins while rates are high, and as many small ones more as were asked for while they are low', () => {
    const many = coins(...new Array<bigint>(20).fill(20_000n), 500_000n);
    const asked = { ...usual, coins: many, outputs: paying(100_000n), consolidate: 4 };
    expect(selected({ ...asked, feeRate: 50 }).inputs).toHaveLength(1);
    const low = selected({ ...asked, feeRate: 2 });
    const without = selected({ ...asked, feeRate: 2, consolidate: 0 });
    expect(low.inputs).toHaveLength(without.inputs.length + 4);
    expect(low.feeMinor).toBe(feeOf(low.vsize, milliRate(2)));
  });

  test('no more small coins than a promised fee pays for at the rate', () => {
    const many = coins(...new Array<bigint>(20).fill(2_000n), 500_000n);
    const feeMinor = feeOf(vsizeOf(3, ['p2wpkh', 'p2wpkh']), milliRate(2));
    const promised = { mode: 'exact-fee', feeMinor, floorRate: 1 } as const;
    const asked = { ...usual, ...promised, coins: many, outputs: paying(100_000n), consolidate: 10, feeRate: 2 };
    const found = selected(asked);
    expect(found.inputs).toHaveLength(3);
    expect(found.feeMinor).toBe(feeMinor);
  });

  test('another draw for another payment', () => {
    const many = coins(...Array.from({ length: 40 }, (_, index) => 50_000n + BigInt(index * 997)));
    const inputsOf = (seed: string) =>
      keysOf(selected({ ...usual, feeRate: 1, seed, coins: many, outputs: paying(200_000n) }).inputs);
    expect(inputsOf('one')).toEqual(inputsOf('one'));
    expect(new Set(['one', 'two', 'three', 'four'].map((seed) => inputsOf(seed).join())).size).toBeGreaterThan(1);
  });
});

describe('all', () => {
  test('leaves nothing that is worth its cost, and says what stays behind', () => {
    fc.assert(
      fc.property(pool, kind, rate, (all, to, feeRate) => {
        const found = selectAll({ coins: all, kind: to, feeRate });
        const milli = milliRate(feeRate);
        const isWorth = ({ amountMinor }: Coin) => amountMinor * 1000n > 68n * milli;
        if (isLacking(found)) {
          const worth = all.filter(isWorth);
          const left = sum(worth) - feeOf(vsizeOf(Math.max(1, worth.length), [to]), milli);
          expect(found).toEqual({ lacking: dustThreshold(to) - left, limit: 'coins' });
          expect(found.lacking).toBeGreaterThan(0n);
          return;
        }
        expect(keysOf(found.inputs)).toEqual(keysOf(all.filter(isWorth)));
        expect(keysOf(found.uneconomical)).toEqual(keysOf(all.filter((each) => !isWorth(each))));
        expect(found.beyondWeight).toEqual([]);
        expect(found.amountMinor + found.feeMinor).toBe(sum(found.inputs));
        expect(found.feeMinor).toBe(feeOf(found.vsize, milli));
        expect(found.amountMinor).toBeGreaterThanOrEqual(dustThreshold(to));
        // Submitted with that amount and fee, the payment spends all of it again.
        const outputs = [{ kind: to, amountMinor: found.amountMinor }];
        const promised = { mode: 'exact-fee', feeMinor: found.feeMinor, floorRate: 1 } as const;
        const again = selected({ ...usual, ...promised, feeRate, coins: found.inputs, outputs });
        expect(keysOf(again.inputs)).toEqual(keysOf(found.inputs));
      }),
      { numRuns: rounds },
    );
  });
});

describe('of many coins', () => {
  const thousands = Array.from({ length: 5_000 }, (_, index) => coin(10_000n + BigInt((index * 7919) % 5_000)));
  const most = mostInputs(['p2wpkh', 'p2wpkh']);

  test('as many are spent as one transaction holds, and the smallest stay behind', () => {
    const found = selectAll({ coins: thousands, kind: 'p2wpkh', feeRate: 2 });
    if (isLacking(found)) throw new Error('coins are lacking');
    expect(found.vsize).toBeLessThanOrEqual(100_000);
    expect(found.inputs.length + found.beyondWeight.length).toBe(5_000);
    expect(found.inputs.length).toBeGreaterThan(1_460);
    const least = found.inputs.reduce((min, { amountMinor }) => (amountMinor < min ? amountMinor : min), 10n ** 9n);
    expect(found.beyondWeight.every(({ amountMinor }) => amountMinor <= least)).toBe(true);
  });

  test('a payment of more than one transaction can spend says that its size is the limit', () => {
    const asked = { ...usual, feeRate: 2, coins: thousands, outputs: paying(40_000_000n) };
    expect(selectCoins(asked)).toMatchObject({ limit: 'weight' });
    expect(selectCoins({ ...asked, outputs: paying(90_000_000n) })).toMatchObject({ limit: 'coins' });
    expect(selected({ ...asked, outputs: paying(15_000_000n) }).inputs.length).toBeLessThanOrEqual(most);
  });

  test('it takes little of a processor, so no search grows with the square of their number', () => {
    const asked = { ...usual, feeRate: 2, consolidate: 500, coins: thousands, outputs: paying(3_000_000n) };
    const before = process.cpuUsage();
    selected(asked);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
