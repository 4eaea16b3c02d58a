import { useSyncExternalStore } from 'react';

/** What the last change that failed came to, as the sentence shown for it; null once another change is tried. */
export interface ChangeFailure {
  text: string;
  /** The stable name of the error; null for one of the page's own. */
  key: string | null;
}

let failure: ChangeFailure | null = null;
const listeners = new Set<() => void>();

/**
 * Notes that a change failed, or (null) that one is tried again. A toast about it goes away; a dialog that is open over the
 * page says it for as long as it holds (`ui/dialog-surface.tsx`).
 */
export function noteFailure(text: string | null, key: string | null = null): void {
  if (text === null && failure === null) return;
  failure = text === null ? null : { text, key };
  for (const listener of listeners) listener();
}

export function useChangeFailure(): ChangeFailure | null {
  return useSyncExternalStore(subscribe, lastFailure, lastFailure);
}

export function lastFailure(): ChangeFailure | null {
  return failure;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
