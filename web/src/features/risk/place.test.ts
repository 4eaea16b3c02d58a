import { expect, test } from 'vitest';
import { behindAll, positionOf, presentPlace } from './place.ts';

const standing = { items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], total: 3 };

test('a new policy stands behind all unless it is put before another', () => {
  expect(presentPlace(null, standing)).toBe(behindAll);
  expect(positionOf('', null, standing)).toBeUndefined();
  expect(positionOf(behindAll, null, standing)).toBeUndefined();
  expect(positionOf('a', null, standing)).toBe(1);
  expect(positionOf('c', null, standing)).toBe(3);
});

test('one that is there stays, or takes the place before another as it is without itself', () => {
  expect(presentPlace('a', standing)).toBe('b');
  expect(presentPlace('c', standing)).toBe(behindAll);
  expect(positionOf('b', 'a', standing)).toBeUndefined();
  expect(positionOf('c', 'a', standing)).toBe(2);
  expect(positionOf('a', 'c', standing)).toBe(1);
  expect(positionOf('b', 'c', standing)).toBe(2);
  expect(positionOf(behindAll, 'a', standing)).toBe(3);
});

test('beyond what is known, and after what has gone meanwhile, nothing moves', () => {
  expect(presentPlace('z', standing)).toBe('');
  expect(presentPlace('c', { ...standing, total: 9 })).toBe('');
  expect(positionOf('gone', 'a', standing)).toBeUndefined();
});
