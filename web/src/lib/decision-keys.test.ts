import { expect, it } from 'vitest';
import { outcomeOf } from './decision-keys.ts';

const key = (name: string, held: Partial<KeyboardEvent> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

it('decides by a and r over the panel alone, and leaves them to whoever types and to a dialog over it', () => {
  expect(outcomeOf(key('a'), false, 1)).toBe('approved');
  expect(outcomeOf(key('R'), false, 1)).toBe('rejected');
  expect(outcomeOf(key('a'), true, 1)).toBeNull();
  expect(outcomeOf(key('a'), false, 2)).toBeNull();
  expect(outcomeOf(key('r'), false, 2)).toBeNull();
  expect(outcomeOf(key('a', { ctrlKey: true }), false, 1)).toBeNull();
  expect(outcomeOf(key('r', { metaKey: true }), false, 1)).toBeNull();
  expect(outcomeOf(key('toString'), false, 1)).toBeNull();
  expect(outcomeOf(key('x'), false, 1)).toBeNull();
});
