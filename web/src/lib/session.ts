import { useSyncExternalStore } from 'react';
import { claimDrafts, remember, remembered } from './storage.ts';

/** Where the token lies (decisions, "Session"). */
const storageKey = 'auth';
/** Whose it is: the email address in lower case. */
const ownerKey = 'auth-of';

let token = remembered(storageKey);
// Another user may have signed in in another tab while this one was closed, or put to sleep by the browser.
if (token !== null) claimDrafts(remembered(ownerKey));

const tokenListeners = new Set<() => void>();

/** Why a session is over: the person signed out, or it expired and they may want to continue where they were. */
export type SessionEnd = 'sign-out' | 'lapse';
type EndListener = (end: SessionEnd) => void;

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

/** Forgets the token and tells the app, which clears what it has read and goes to /sign-in. Does nothing without a session. */
export function endSession(end: SessionEnd): void {
  if (token === null) return;
  set(null);
  remember(ownerKey, null);
  for (const listener of endListeners) listener(end);
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
  const onStorage = (event: StorageEvent) => {
    if (event.key !== storageKey && event.key !== null) return;
    const next = remembered(storageKey);
    if (next === token) return;
    const replaced = token !== null && next !== null;
    // The other tab does not say why: going back to one's place does no harm.
    if (next === null) endSession('lapse');
    else set(next);
    // Another user may have signed in before this sleeping tab heard of the end: they must not see what it has read.
    if (replaced) for (const listener of endListeners) listener('lapse');
  };
  target.addEventListener('storage', onStorage);
  return () => target.removeEventListener('storage', onStorage);
}
