import { afterEach, expect, it, vi } from 'vitest';
import { sessionToken, startSession } from './session.ts';
import { signOut } from './user.ts';

afterEach(() => vi.unstubAllGlobals());

it('signing out forgets token and drafts even when the server cannot be reached, and nothing else', async () => {
  const kept: Record<string, unknown> = { 'form:transfer-out': '{"amount":"5"}', other: 'stays' };
  Object.defineProperty(kept, 'removeItem', { value: (key: string) => delete kept[key] });
  vi.stubGlobal('sessionStorage', kept);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  startSession('token-ada');
  await signOut();
  expect(sessionToken()).toBeNull();
  expect(Object.keys(kept)).toEqual(['other']);
});
