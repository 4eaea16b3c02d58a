import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followOtherTabs, onSessionEnd, sessionToken, startSession } from './session.ts';
import { remember } from './storage.ts';

const ended = vi.fn();
let stops: (() => void)[] = [];

/** What the browser tells this tab after another has changed the token. */
function otherTab(target: EventTarget, token: string | null): void {
  remember('auth', token);
  target.dispatchEvent(Object.assign(new Event('storage'), { key: 'auth' }));
}

beforeEach(() => {
  ended.mockReset();
  startSession('token-ada');
  stops = [onSessionEnd(ended)];
});
afterEach(() => {
  for (const stop of stops) stop();
});

it('ends when another tab signs out', () => {
  const target = new EventTarget();
  stops.push(followOtherTabs(target as Window));
  otherTab(target, null);
  expect(sessionToken()).toBeNull();
  expect(ended.mock.calls).toEqual([['lapse']]);
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
