import { beforeEach, expect, it, vi } from 'vitest';
import { keepLaissezPasser, laissezPasserFor } from './trusted-browser.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

it('keeps a pass for each person who shares the browser', () => {
  keepLaissezPasser('Ada@Example.com ', 'pass-ada');
  keepLaissezPasser('bo@example.com', 'pass-bo');
  expect(laissezPasserFor('ada@example.com')).toBe('pass-ada');
  expect(laissezPasserFor('bo@example.com')).toBe('pass-bo');
  expect(laissezPasserFor('eve@example.com')).toBeUndefined();
});

it('replaces an older pass and forgets the oldest beyond five', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) keepLaissezPasser(`${name}@example.com`, `pass-${name}`);
  keepLaissezPasser('f@example.com', 'pass-new');
  expect(laissezPasserFor('f@example.com')).toBe('pass-new');
  expect(laissezPasserFor('a@example.com')).toBeUndefined();
  expect(laissezPasserFor('b@example.com')).toBe('pass-b');
});

it('reads nothing out of a damaged store', () => {
  kept.set('laissez-passer', '{"not":"a list"}');
  expect(laissezPasserFor('ada@example.com')).toBeUndefined();
  kept.set('laissez-passer', 'not JSON');
  keepLaissezPasser('ada@example.com', 'pass-ada');
  expect(laissezPasserFor('ada@example.com')).toBe('pass-ada');
});
