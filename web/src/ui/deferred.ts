import { useRef } from 'react';

const asked = new Set<() => Promise<unknown>>();

/**
 * Loads a module once the browser has nothing better to do, so that what opens on a click is there by then, and the first
 * paint does not wait for it. A failure is left for the click, which tries again.
 */
export function whenIdle(load: () => Promise<unknown>): void {
  if (asked.has(load)) return;
  asked.add(load);
  const start = () => void load().catch(() => asked.delete(load));
  if ('requestIdleCallback' in globalThis) requestIdleCallback(start, { timeout: 4000 });
  else setTimeout(start, 1500);
}

/** True from the first time that `open` was true: what has been opened stays mounted, so that it can close gently. */
export function useOpenedOnce(open: boolean): boolean {
  const opened = useRef(open);
  opened.current ||= open;
  return opened.current;
}
