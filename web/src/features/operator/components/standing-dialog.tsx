import { type ReactNode, Suspense, useSyncExternalStore } from 'react';

/** A dialog that outlives the row that opened it: the next reading of a list may no longer have that row. */

type Content = (close: () => void) => ReactNode;

let shown: Content | null = null;
const listeners = new Set<() => void>();

function show(content: Content | null): void {
  shown = content;
  for (const listener of listeners) listener();
}

/** Opens a dialog; `content` draws it and is handed what closes it. */
export function openStanding(content: Content): void {
  show(content);
}

/** Draws the dialog that is open; once on every page that opens one. */
export function StandingDialog() {
  const content = useSyncExternalStore(subscribe, () => shown);
  return content === null ? null : <Suspense>{content(close)}</Suspense>;
}

function close(): void {
  show(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // A dialog belongs to its page.
    if (listeners.size === 0) shown = null;
  };
}
