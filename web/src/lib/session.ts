import { useSyncExternalStore } from 'react';
import { claimDrafts, remember, remembered } from './storage.ts';

/** Where the token lies (specification, section 9). */
const storageKey = 'auth';
/** Whose it is: the email address in lower case. */
const ownerKey = 'auth-of';

let token = remembered(storageKey);
// Somebody else may have signed in elsewhere while this tab was closed, or put to sleep by the browser.
if (token !== null) claimDrafts(remembered(ownerKey));

const tokenListeners = new Set<() => void>();

/** Why a session is over: the person signed out, or it ended by itself and they may want to go on where they were. */
export type SessionEnd = 'sign-out' | 'lapse';
type EndListener = (end: SessionEnd) => void;

const endListeners = new Set<EndListener>();

/** The bearer token of the session, null when nobody is signed in. */
export function sessionToken(): string | null {
  return token;
}

/** Starts a session with the token that the sign-in answered to whoever has this email address. */
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
    // Somebody else may have signed in before this tab, asleep, heard of the end: what it has read is not theirs to see.
    if (replaced) for (const listener of endListeners) listener('lapse');
  };
  target.addEventListener('storage', onStorage);
  return () => target.removeEventListener('storage', onStorage);
}
