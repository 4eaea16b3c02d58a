import { expect, test } from 'vitest';
import { createEntryIndex } from './entry-index.ts';

test('every entry is found under each of its keys, however many there are, and few others with it', () => {
  const index = createEntryIndex();
  const keys = Array.from({ length: 5000 }, (_, place) => `ethereum/0x${place}/${place % 7}`);
  for (const [place, key] of keys.entries()) index.add(key, place + 1);
  index.add('ethereum/0x0/0', 5001);
  let others = 0;
  for (const [place, key] of keys.entries()) {
    const found = index.candidates(key);
    expect(found, key).toContain(place + 1);
    others += found.length - 1;
  }
  expect(index.candidates('ethereum/0x0/0')).toEqual(expect.arrayContaining([1, 5001]));
  expect(index.candidates('harbour/0x0/0')).toEqual([]);
  // One is the second entry of the first key; two keys of 5,000 have the same 32 bits once in 344 tries.
  expect(others).toBeLessThan(5);
});
