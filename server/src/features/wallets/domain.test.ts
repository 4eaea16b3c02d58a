import { expect, test } from 'vitest';
import { endOfDay, lastDays, totalValue } from './domain.ts';

test('the last days end with today, across a month and a leap day', () => {
  expect(lastDays(new Date('2028-03-01T23:59:59Z'), 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(endOfDay('2028-02-29').toISOString()).toBe('2028-03-01T00:00:00.000Z');
});

test('a total is unknown while something in it has no price, and nothing needs none', () => {
  const price = (asset: string) => (asset === 'HKD' ? undefined : '0.5');
  const yen = { asset: 'JPY', decimals: 0, minor: 4n };
  const coins = { asset: 'ETH', decimals: 2, minor: 100n };
  expect(totalValue([yen, coins], price)).toBe(250n);
  expect(totalValue([yen, { asset: 'HKD', decimals: 2, minor: 0n }], price)).toBe(200n);
  expect(totalValue([yen, { asset: 'HKD', decimals: 2, minor: 1n }], price)).toBeNull();
});
