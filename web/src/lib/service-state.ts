import { useSyncExternalStore } from 'react';

/** Whether the service works, as far as this tab knows: an outage begins with a call's answer and ends with a poll's. */

/** First wait before the service is asked again, and the longest; each is drawn at random up to half longer. */
const wait_ms = { first: 1000, most: 8000 };

let available = true;
const listeners = new Set<() => void>();

/** A call found the service away. */
export function noteOutage(): void {
  set(false);
}

export function isAvailable(): boolean {
  return available;
}

export function useAvailable(): boolean {
  return useSyncExternalStore(subscribe, isAvailable);
}

interface Watch {
  /** Resolves with whether the service works; rejects when it can't be reached. */
  ask: () => Promise<boolean>;
  /** The outage is over. */
  onBack: () => void;
}

/** While there is an outage, asks whether it is over. Returns a function that stops it. */
export function watchOutages({ ask, onBack }: Watch): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = wait_ms.first;

  function schedule(): void {
    timer = setTimeout(() => void poll(), wait * (1 + Math.random() / 2));
    wait = Math.min(wait * 2, wait_ms.most);
  }

  async function poll(): Promise<void> {
    const isBack = await ask().catch(() => false);
    if (timer === undefined) return;
    timer = undefined;
    if (!isBack) {
      schedule();
      return;
    }
    wait = wait_ms.first;
    set(true);
    onBack();
  }

  const look = () => {
    if (!available && timer === undefined) schedule();
  };
  const stop = subscribe(look);
  look();
  return () => {
    stop();
    clearTimeout(timer);
    timer = undefined;
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: boolean): void {
  if (available === next) return;
  available = next;
  for (const listener of listeners) listener();
}
