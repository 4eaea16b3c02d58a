import { afterEach, expect, it, vi } from 'vitest';
import { sessionToken, startSession } from './session.ts';
import { signOut } from './user.ts';

afterEach(() => vi.unstubAllGlobals());

it('signing out forgets token and drafts even when the server cannot be reached, and nothing else', async () => {
  const kept: Record<string, unknown> = { 'form:transfer-out': '{"amount":"5"}', other: 'stays' };
  Object.defineProperty(kept, 'removeItem', { value: (key: string) => delete kept[key] });
  vi.stubGlobal('sessionStorage', kept);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  startSession('token-ada', 'ada@example.com');
  await signOut();
  expect(sessionToken()).toBeNull();
  expect(Object.keys(kept)).toEqual(['other']);
});

it('signing out waits for a silent server three seconds and no longer', async () => {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  const silent = (_: string, { signal }: RequestInit) =>
    new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  vi.stubGlobal('fetch', vi.fn(silent));
  startSession('token-ada', 'ada@example.com');
  const out = signOut();
  expect(timeout).toHaveBeenCalledWith(3_000);
  expect(sessionToken()).toBe('token-ada');
  patience.abort();
  await out;
  expect(sessionToken()).toBeNull();
});
