import { feeLevels } from '@causeway/contract/transfers-rules.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dustThreshold, feeOf } from '../../chains/index.ts';
import { quoteAccelerating } from './accelerating.ts';

const output = { hash: 'a'.repeat(64), index: 0, address: 'bcrt1q', ordinal: 0 };

const cases = fc.record({
  level: fc.constantFrom(...feeLevels),
  steps: fc.tuple(fc.integer({ min: 1000, max: 50_000 }), fc.nat(100_000), fc.nat(300_000)),
  amountMinor: fc.bigInt({ min: 1n, max: 10_000_000n }),
  parent: fc.record({
    feeMinor: fc.bigInt({ min: 0n, max: 500_000n }),
    vsize: fc.integer({ min: 60, max: 100_000 }),
  }),
});

test('deposit and acceleration come to the rate together, and nothing of the deposit is lost but the fee', () => {
  fc.assert(
    fc.property(cases, ({ level, steps: [economy, more, most], amountMinor, parent }) => {
      const rates = { economy, normal: economy + more, urgent: economy + more + most, minimum: 1000 };
      const rate = BigInt(rates[level]);
      const quote = quoteAccelerating({ parent, output: { ...output, amountMinor } }, rates, level);
      const pays = parent.feeMinor >= feeOf(parent.vsize, rate);
      expect(quote === null).toBe(pays);
      if (quote === null || quote === 'tooSmall') return;
      const { networkFeeMinor, vsize, worthMinor } = quote;
      expect(parent.feeMinor + networkFeeMinor).toBeGreaterThanOrEqual(feeOf(parent.vsize + vsize, rate));
      // No more than that, or than nodes want of any transaction.
      const least = feeOf(parent.vsize + vsize, rate) - parent.feeMinor;
      expect([least, feeOf(vsize, 1000n)]).toContain(networkFeeMinor);
      expect(worthMinor).toBe(amountMinor - networkFeeMinor);
      expect(worthMinor).toBeGreaterThanOrEqual(dustThreshold('p2wpkh'));
    }),
  );
});

test('a deposit is too small exactly where less than dust would come back', () => {
  const parent = { feeMinor: 141n, vsize: 141 };
  const rates = { economy: 5000, normal: 10_000, urgent: 20_000, minimum: 1000 };
  const at = (amountMinor: bigint) =>
    quoteAccelerating({ parent, output: { ...output, amountMinor } }, rates, 'urgent');
  const rich = at(1_000_000n);
  if (rich === null || rich === 'tooSmall') throw new Error('a rich deposit carries its fee');
  const least = rich.networkFeeMinor + dustThreshold('p2wpkh');
  expect(at(least)).toMatchObject({ worthMinor: dustThreshold('p2wpkh') });
  expect(at(least - 1n)).toBe('tooSmall');
});
