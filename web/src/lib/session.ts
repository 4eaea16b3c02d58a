import { useSyncExternalStore } from 'react';
import { claimDrafts, remember, remembered } from './storage.ts';

/** Where the token lies (decisions, "Session"). */
const storageKey = 'auth';
/** Whose it is: the email address in lower case. */
const ownerKey = 'auth-of';
/** Why the last one ended, for the other tabs. */
const endKey = 'auth-ended';

let token = remembered(storageKey);
// Another user may have signed in in another tab while this one was closed, or put to sleep by the browser.
if (token !== null) claimDrafts(remembered(ownerKey));

const tokenListeners = new Set<() => void>();

/** Why a session is over: the person signed out, or it expired and they may want to continue where they were. */
export type SessionEnd = 'sign-out' | 'lapse';
/** `elsewhere`: another tab of this browser found out first, and this one has said nothing yet. */
type EndListener = (end: SessionEnd, elsewhere: boolean) => void;

const endListeners = new Set<EndListener>();

/** The bearer token of the session, null without one. */
export function sessionToken(): string | null {
  return token;
}

/** Starts a session with the token of a sign-in by this email address. */
export function startSession(next: string, email: string): void {
  // Before the token: other tabs, told of the token, look whose it is.
  remember(ownerKey, email.trim().toLowerCase());
  set(next);
}

/**
 * Forgets the token and tells the app, which clears what it has read and goes to /sign-in. Does nothing without a session, nor
 * when the session that ended (`ended`) is no longer the one of this browser.
 */
export function endSession(end: SessionEnd, ended: string | null = token): void {
  if (token === null || token !== ended) return;
  // Before the token: other tabs, told of the token, look why.
  remember(endKey, end);
  forgetSession(end, false);
}

function forgetSession(end: SessionEnd, elsewhere: boolean): void {
  set(null);
  remember(ownerKey, null);
  for (const listener of endListeners) listener(end, elsewhere);
}

/** Calls back when a session ends here or in another tab of this browser, or when another has taken its place there. */
export function onSessionEnd(listener: EndListener): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

export function useSessionToken(): string | null {
  return useSyncExternalStore(subscribe, sessionToken, () => null);
}

function subscribe(listener: () => void): () => void {
  tokenListeners.add(listener);
  return () => tokenListeners.delete(listener);
}

function set(next: string | null): void {
  token = next;
  remember(storageKey, next);
  if (next !== null) claimDrafts(remembered(ownerKey));
  for (const listener of tokenListeners) listener();
}

/** Follows sign-ins and sign-outs of other tabs. Called once by the app. */
export function followOtherTabs(target: Window = window): () => void {
  const compare = () => {
    const next = remembered(storageKey);
    if (next === token) return;
    const replaced = token !== null && next !== null;
    if (next === null) forgetSession(remembered(endKey) === 'sign-out' ? 'sign-out' : 'lapse', true);
    else set(next);
    // Another user may have signed in before this sleeping tab heard of the end: they must not see what it has read.
    if (replaced) for (const listener of endListeners) listener('lapse', false);
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKey || event.key === null) compare();
  };
  target.addEventListener('storage', onStorage);
  // A page that the browser kept and brings back has heard of nothing meanwhile.
  target.addEventListener('pageshow', compare);
  return () => {
    target.removeEventListener('storage', onStorage);
    target.removeEventListener('pageshow', compare);
  };
}
