import { expect, it } from 'vitest';
import { shortcutOf } from './shortcut-keys.ts';

const key = (name: string, held: Partial<KeyboardEvent> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

it('leaves letters to whoever is typing, and everything to an open dialog', () => {
  expect(shortcutOf(key('/'), false, false)).toBe('search');
  expect(shortcutOf(key('/'), true, false)).toBeNull();
  expect(shortcutOf(key('?'), false, false)).toBe('list');
  expect(shortcutOf(key('?'), false, true)).toBeNull();
  expect(shortcutOf(key('k', { ctrlKey: true }), true, false)).toBe('palette');
  expect(shortcutOf(key('K', { metaKey: true }), false, false)).toBe('palette');
  expect(shortcutOf(key('k', { ctrlKey: true }), false, true)).toBeNull();
  expect(shortcutOf(key('k'), false, false)).toBeNull();
  expect(shortcutOf(key('/', { ctrlKey: true }), false, false)).toBeNull();
});
