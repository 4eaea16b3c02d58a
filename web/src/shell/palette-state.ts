import { useSyncExternalStore } from 'react';

/** What lies over the console by its keys or the header's buttons: the palette, the list of shortcuts. */
export type Overlay = 'palette' | 'list' | null;

let overlay: Overlay = null;
const listeners = new Set<() => void>();

/** Opens one, or (null) closes what is open. Its code may come later: it is drawn as soon as it is there. */
export function openOverlay(next: Overlay): void {
  overlay = next;
  for (const listener of listeners) listener();
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, current, () => null);
}

function current(): Overlay {
  return overlay;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
