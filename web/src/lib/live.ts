import type { Call } from '@causeway/contract/call.ts';
import type { LiveEvent, LiveTopic } from '@causeway/contract/live.ts';
import { useEffect } from 'react';
import { callKey, queryClient } from './queries.ts';

const listeners = new Map<LiveTopic, Set<(event: LiveEvent) => void>>();
const staleOn = new Map<LiveTopic, Set<Call>>();

/** Says which calls' answers an event of these topics makes stale; each feature declares its own, once, when its module loads. */
export function invalidateOn(topics: readonly LiveTopic[], calls: readonly Call[]): void {
  for (const topic of topics) {
    const known = staleOn.get(topic) ?? new Set();
    for (const call of calls) known.add(call);
    staleOn.set(topic, known);
  }
}

/** Calls `handler` for each event of a topic while the component is shown. The handler should be stable. */
export function useLiveEvent(topic: LiveTopic, handler: (event: LiveEvent) => void): void {
  useEffect(() => {
    const known = listeners.get(topic) ?? new Set();
    known.add(handler);
    listeners.set(topic, known);
    return () => {
      known.delete(handler);
    };
  }, [topic, handler]);
}

/** Hands an event to its listeners and marks what it makes stale. */
export function dispatch(event: LiveEvent): void {
  for (const call of staleOn.get(event.topic) ?? []) {
    void queryClient.invalidateQueries({ queryKey: callKey(call) });
  }
  for (const listener of listeners.get(event.topic) ?? []) listener(event);
}
