import { expect, test } from 'vitest';
import { isOdd } from './nodes.ts';

const oddOf = (...hashes: (string | null)[]) => hashes.map((_, index) => isOdd(hashes, index));

test('the node whose block the others do not have is named; of two that differ, both', () => {
  expect(oddOf('a', 'a')).toEqual([false, false]);
  expect(oddOf('a', 'a', 'b')).toEqual([false, false, true]);
  expect(oddOf('a', 'b')).toEqual([true, true]);
  expect(oddOf('a', 'a', 'b', 'b')).toEqual([true, true, true, true]);
});

test('one that did not answer is neither named nor counted', () => {
  expect(oddOf('a', null)).toEqual([false, false]);
  expect(oddOf('a', 'a', null, 'b')).toEqual([false, false, false, true]);
  expect(oddOf(null)).toEqual([false]);
});
