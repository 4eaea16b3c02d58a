import type { RatePair } from '@causeway/contract/rates.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairKey, shownPairs } from './order.ts';

/** US dollars for one. */
const usd: Record<string, number> = {
  ETH: 3400,
  USDT: 1.0002,
  USDC: 0.9999,
  HKDT: 0.1284,
  USD: 1,
  HKD: 0.1283,
  JPY: 0.0065,
};
const names: Record<string, string> = { HKD: 'Hong Kong Dollar', JPY: 'Japanese Yen' };

const pairsOf = (assets: readonly string[], usdOf = usd): RatePair[] =>
  assets.flatMap((sell) =>
    assets
      .filter((buy) => buy !== sell)
      .map((buy) => ({
        ...{ sell, buy, changePercent: null, at: null, sources: [], problem: null },
        rate: String((usdOf[sell] ?? 1) / (usdOf[buy] ?? 1)),
        inverse: String((usdOf[buy] ?? 1) / (usdOf[sell] ?? 1)),
      })),
  );

const shown = (change: Partial<Parameters<typeof shownPairs>[1]> = {}, pairs = pairsOf(Object.keys(usd))) =>
  shownPairs(pairs, {
    ...{ held: new Set<string>(), favourites: new Set<string>(), onlyFavourites: false, keyword: '', asset: null },
    nameOf: (asset) => names[asset] ?? asset,
    ...change,
  }).map(({ sell, buy }) => `${sell}/${buy}`);

test('each pair is shown once, as the rate of what is worth more, a coin before a currency that is worth the same', () => {
  const pairs = shown({}, pairsOf(['USD', 'HKD', 'USDT', 'ETH']));
  expect(pairs).toEqual(['USD/HKD', 'USDT/USD', 'USDT/HKD', 'ETH/USD', 'ETH/HKD', 'ETH/USDT']);
});

test('a pair keeps its way round while two stablecoins change places', () => {
  const at = (usdc: number) => shown({ keyword: 'USDT USDC' }, pairsOf(['USDT', 'USDC'], { USDT: 1, USDC: usdc }));
  expect([at(0.999), at(1), at(1.001)]).toEqual([['USDC/USDT'], ['USDC/USDT'], ['USDC/USDT']]);
});

test('favourites come first, then what the company has money in', () => {
  const held = new Set(['USDC', 'HKD']);
  const pairs = shown({ held, favourites: new Set([pairKey({ sell: 'JPY', buy: 'ETH' })]) });
  expect(pairs.slice(0, 2)).toEqual(['ETH/JPY', 'USDC/HKD']);
  const isHeld = (pair: string) => pair.split('/').some((asset) => held.has(asset));
  expect(pairs.slice(2, 12).every(isHeld)).toBe(true);
  expect(pairs.slice(12).some(isHeld)).toBe(false);
});

test.each([
  ['hkd usdt', ['USDT/HKDT', 'USDT/HKD']],
  ['JPY/HKD', ['HKDT/JPY', 'HKD/JPY']],
  ['hong yen', ['HKD/JPY']],
  ['nothing', []],
])('“%s” finds by every word, in codes and names', (keyword, found) => expect(shown({ keyword })).toEqual(found));

test('of one asset every pair is the rate of it; favourites hold both ways round', () => {
  const favourites = new Set([pairKey({ sell: 'ETH', buy: 'HKD' })]);
  expect(shown({ asset: 'HKD', favourites }).every((pair) => pair.startsWith('HKD/'))).toBe(true);
  expect(shown({ asset: 'HKD', favourites, onlyFavourites: true })).toEqual(['HKD/ETH']);
});

test('no pair is lost and none is shown twice, whatever the rates', () => {
  const prices = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(prices, (values) => {
      const assets = Object.fromEntries(values.map((value, index) => [`A${index}`, value]));
      const keys = shown({}, pairsOf(Object.keys(assets), assets)).map((pair) => {
        const [sell = '', buy = ''] = pair.split('/');
        return pairKey({ sell, buy });
      });
      expect(new Set(keys).size).toBe((values.length * (values.length - 1)) / 2);
      expect(keys).toHaveLength(new Set(keys).size);
    }),
  );
});
