import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, followOtherTabs, onSessionEnd, sessionToken, startSession } from './session.ts';
import * as storage from './storage.ts';

const { remember } = storage;

const ended = vi.fn();
let stops: (() => void)[] = [];

/** What the browser tells this tab after another has changed the token. */
function otherTab(
  target: EventTarget,
  token: string | null,
  {
    email = null,
    event = Object.assign(new Event('storage'), { key: 'auth' }),
  }: { email?: string | null; event?: Event } = {},
): void {
  remember('auth-of', email);
  remember('auth', token);
  target.dispatchEvent(event);
}

beforeEach(() => {
  ended.mockReset();
  startSession('token-ada', 'ada@example.com');
  stops = [onSessionEnd(ended)];
});
afterEach(() => {
  for (const stop of stops) stop();
  vi.unstubAllGlobals();
});

it.each(['sign-out', 'lapse'] as const)('ends when it ends in another tab, and knows why: %s', (why) => {
  const target = new EventTarget();
  stops.push(followOtherTabs(target as Window));
  remember('auth-ended', why);
  otherTab(target, null);
  expect(sessionToken()).toBeNull();
  expect(ended.mock.calls).toEqual([[why, true]]);
});

it('ends in a page that the browser kept while it ended and now brings back', () => {
  const target = new EventTarget();
  stops.push(followOtherTabs(target as Window));
  otherTab(target, null, { event: new Event('pageshow') });
  expect(sessionToken()).toBeNull();
});

it('that another has taken the place of is not ended in its name', () => {
  endSession('lapse', 'token-of-before');
  expect(sessionToken()).toBe('token-ada');
  expect(ended).not.toHaveBeenCalled();
});

it('that another took the place of while this tab slept leaves nothing of what was read', () => {
  const target = new EventTarget();
  stops.push(followOtherTabs(target as Window));
  otherTab(target, 'token-bo');
  expect(sessionToken()).toBe('token-bo');
  expect(ended).toHaveBeenCalledOnce();
});

it('that begins in another tab begins here, where nobody was signed in', () => {
  const target = new EventTarget();
  stops.push(followOtherTabs(target as Window));
  otherTab(target, null);
  ended.mockReset();
  otherTab(target, 'token-bo');
  expect(sessionToken()).toBe('token-bo');
  expect(ended).not.toHaveBeenCalled();
});

describe('a draft that outlived its session', () => {
  const draft = 'form:transfer-out';
  let tab: Map<string, string>;

  beforeEach(() => {
    tab = stubTab();
    endSession('sign-out');
    startSession('token-ada', 'ada@example.com');
    tab.set(draft, '{"amount":"5"}');
    endSession('lapse');
  });

  it('waits for whoever wrote it', () => {
    expect(tab.has(draft)).toBe(true);
    startSession('token-ada-2', ' Ada@Example.com');
    expect(tab.has(draft)).toBe(true);
  });

  it('is gone when somebody else signs in, here or in another tab', () => {
    startSession('token-bo', 'bo@example.com');
    expect(tab.has(draft)).toBe(false);
    tab.set(draft, '{"amount":"7"}');
    const target = new EventTarget();
    stops.push(followOtherTabs(target as Window));
    otherTab(target, 'token-bo-2', { email: 'bo@example.com' });
    expect(tab.has(draft)).toBe(true);
    otherTab(target, 'token-cy', { email: 'cy@example.com' });
    expect(tab.has(draft)).toBe(false);
  });

  it('is gone when somebody else signed in while the tab was closed', async () => {
    remember('auth-of', 'bo@example.com');
    remember('auth', 'token-bo');
    vi.resetModules();
    vi.doMock('./storage.ts', () => storage);
    await import('./session.ts');
    vi.doUnmock('./storage.ts');
    expect(tab.has(draft)).toBe(false);
  });
});

/** A tab's own storage: its keys are its own properties, as the browser's are. */
function stubTab(): Map<string, string> {
  const kept = new Map<string, string>();
  const methods = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal(
    'sessionStorage',
    new Proxy(methods, {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        kept.has(String(key)) ? { value: kept.get(String(key)), enumerable: true, configurable: true } : undefined,
    }),
  );
  return kept;
}
