import { expect, test } from 'vitest';
import { paid, totalValue } from './domain.ts';

test('a total is unknown while something in it has no price, and nothing needs none', () => {
  const price = (asset: string) => (asset === 'HKD' ? undefined : '0.5');
  const yen = { asset: 'JPY', decimals: 0, minor: 4n };
  const coins = { asset: 'ETH', decimals: 2, minor: 100n };
  expect(totalValue([yen, coins], price)).toBe(250n);
  expect(totalValue([yen, { asset: 'HKD', decimals: 2, minor: 0n }], price)).toBe(200n);
  expect(totalValue([yen, { asset: 'HKD', decimals: 2, minor: 1n }], price)).toBeNull();
});

test('what takes money back makes less of what came in, and is not paid out', () => {
  const moved = { kind: 'deposit.credited', correcting: false, inMinor: 7n, outMinor: 0n };
  expect(paid(moved)).toEqual({ inMinor: 7n, outMinor: 0n });
  const back = { inMinor: 0n, outMinor: 5n };
  expect(paid({ ...back, kind: 'transfer.settle', correcting: false })).toEqual({ inMinor: 0n, outMinor: 5n });
  expect(paid({ ...back, kind: 'deposit.reversed', correcting: true })).toEqual({ inMinor: -5n, outMinor: -0n });
  expect(paid({ ...back, kind: 'exchange.execute', correcting: false })).toEqual({ inMinor: 0n, outMinor: 0n });
  expect(paid({ ...back, kind: 'deposit.repaid', correcting: false })).toEqual({ inMinor: -5n, outMinor: 0n });
});
