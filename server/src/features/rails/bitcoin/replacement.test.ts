import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dustThreshold, feeOf, milliRate, type ScriptKind, vsizeOf } from '../../chains/index.ts';
import { type Coin, isLacking, type Selection, selectCoins } from './coin-selection.ts';
import { accelerating, replacement } from './replacement.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8) * 25;

const sum = (amounts: readonly { amountMinor: bigint }[]) =>
  amounts.reduce((all, { amountMinor }) => all + amountMinor, 0n);
const coin = (number: number, amountMinor: bigint, isConfirmed = true): Coin => ({
  key: `${number.toString(16).padStart(64, '0')}:0`,
  amountMinor,
  isConfirmed,
});
const changeKind = 'p2wpkh';
const dust = dustThreshold(changeKind);

function found(of: ReturnType<typeof replacement<Coin>>): Selection<Coin> {
  if (isLacking(of)) throw new Error(`${of.lacking} is lacking`);
  return of;
}

describe('a replacement', () => {
  const outputs = [{ kind: 'p2tr' as const, amountMinor: 50_000n }];
  const plan = {
    inputs: [coin(1, 60_000n)],
    outputs,
    changeKind,
    feeMinor: 1_000n,
    vsize: vsizeOf(1, ['p2tr', changeKind]),
  } as const;

  test('takes its fee from the change', () => {
    const dearer = found(replacement(plan, { feeRate: 20, coins: [coin(2, 90_000n)] }));
    expect(dearer.inputs).toEqual(plan.inputs);
    expect(dearer.feeMinor).toBe(feeOf(plan.vsize, milliRate(20)));
    expect(dearer.changeMinor).toBe(10_000n - dearer.feeMinor);
  });

  test('pays at least the first and a satoshi for each byte of its own, and for what is dropped with the first', () => {
    expect(found(replacement(plan, { feeRate: 1, coins: [] })).feeMinor).toBe(1_000n + BigInt(plan.vsize));
    const withChild = found(replacement({ ...plan, descendantFeesMinor: 700n }, { feeRate: 1, coins: [] }));
    expect(withChild.feeMinor).toBe(1_700n + BigInt(plan.vsize));
  });

  test('gives up the change, and else adds confirmed coins', () => {
    const all = found(replacement(plan, { feeRate: 81, coins: [] }));
    expect(all).toMatchObject({ changeMinor: 0n, feeMinor: 10_000n, vsize: vsizeOf(1, ['p2tr']) });
    const waiting = coin(2, 900_000n, false);
    const added = found(replacement(plan, { feeRate: 100, coins: [waiting, coin(3, 20_000n), plan.inputs[0]] }));
    expect(added.inputs).toEqual([plan.inputs[0], coin(3, 20_000n)]);
    expect(replacement(plan, { feeRate: 100, coins: [waiting] })).toMatchObject({ limit: 'coins' });
  });

  test('has a higher rate than the first, also where it has become larger', () => {
    const full = { ...plan, inputs: [coin(1, 51_000n)], vsize: vsizeOf(1, ['p2tr']) };
    const larger = found(replacement(full, { feeRate: 1, coins: [coin(3, 20_000n)] }));
    expect(larger.inputs).toHaveLength(2);
    expect(Number(larger.feeMinor) / larger.vsize).toBeGreaterThan(1_000 / full.vsize);
  });

  test('pays nothing but the company where that is asked', () => {
    const empty = found(replacement({ ...plan, outputs: [] }, { feeRate: 20, coins: [] }));
    expect(empty.changeMinor + empty.feeMinor).toBe(60_000n);
    expect(empty.vsize).toBe(vsizeOf(1, [changeKind]));
    const poor = { ...plan, inputs: [coin(1, 2_000n)], outputs: [] };
    expect(replacement(poor, { feeRate: 20, coins: [] })).toEqual({
      lacking: feeOf(vsizeOf(1, [changeKind]), milliRate(20)) + dust - 2_000n,
      limit: 'coins',
    });
  });

  const amounts = fc.array(fc.bigInt({ min: 300n, max: 400_000n }), { minLength: 1, maxLength: 12 });
  test('always spends what the first spends, keeps what it pays, and is one that nodes take', () => {
    const kind = fc.constantFrom<ScriptKind>('p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr');
    const rate = fc.integer({ min: 1000, max: 300_000 }).map((milli) => milli / 1000);
    const cases = fc.record({
      amounts,
      kind,
      first: rate,
      second: rate,
      paid: fc.bigInt({ min: 546n, max: 200_000n }),
    });
    fc.assert(
      fc.property(cases, ({ amounts, kind, first, second, paid }) => {
        const coins = amounts.map((amount, index) => coin(index, amount));
        const pays = [{ kind, amountMinor: paid }];
        const common = { coins, outputs: pays, changeKind, longTermFeeRate: 10, seed: 'a' } as const;
        const stuck = selectCoins({ ...common, mode: 'rate', feeRate: first });
        if (isLacking(stuck)) return;
        const dearer = replacement({ ...stuck, outputs: pays, changeKind }, { feeRate: second, coins });
        if (isLacking(dearer)) {
          expect(dearer.lacking).toBeGreaterThan(0n);
          return;
        }
        expect(dearer.inputs.slice(0, stuck.inputs.length)).toEqual(stuck.inputs);
        expect(new Set(dearer.inputs.map(({ key }) => key)).size).toBe(dearer.inputs.length);
        expect(sum(dearer.inputs)).toBe(paid + dearer.changeMinor + dearer.feeMinor);
        expect(dearer.changeMinor === 0n || dearer.changeMinor >= dust).toBe(true);
        const size = BigInt(dearer.vsize);
        expect(dearer.feeMinor).toBeGreaterThanOrEqual(stuck.feeMinor + size);
        expect(dearer.feeMinor).toBeGreaterThanOrEqual(feeOf(dearer.vsize, milliRate(second)));
        expect(dearer.feeMinor * BigInt(stuck.vsize)).toBeGreaterThan(stuck.feeMinor * size);
      }),
      { numRuns: rounds },
    );
  });
});

describe('a transaction that accelerates another', () => {
  const parent = { feeMinor: 141n, vsize: 141 };
  const stuck = coin(1, 30_000n, false);

  test('brings both to the rate', () => {
    const child = found(accelerating(parent, { coin: stuck, changeKind, feeRate: 25, coins: [] }));
    expect(child.vsize).toBe(vsizeOf(1, [changeKind]));
    expect(child.feeMinor + parent.feeMinor).toBe(feeOf(child.vsize + parent.vsize, milliRate(25)));
    expect(child.changeMinor).toBe(30_000n - child.feeMinor);
  });

  test('pays for itself where the first has paid enough', () => {
    const paid = { feeMinor: 90_000n, vsize: 141 };
    const child = found(accelerating(paid, { coin: stuck, changeKind, feeRate: 25, coins: [] }));
    expect(child.feeMinor).toBe(BigInt(child.vsize));
  });

  test('takes confirmed coins to it where the output is worth too little', () => {
    const small = { ...stuck, amountMinor: 1_000n };
    const rich = found(accelerating(parent, { coin: small, changeKind, feeRate: 25, coins: [coin(2, 9_000n)] }));
    expect(rich.inputs).toEqual([small, coin(2, 9_000n)]);
    expect(accelerating(parent, { coin: small, changeKind, feeRate: 25, coins: [] })).toMatchObject({ limit: 'coins' });
  });
});
