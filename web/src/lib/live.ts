import type { LiveEvent, LiveTopic } from '@causeway/contract/live.ts';
import type { LightCall } from './light-call.ts';
import { invalidateCall } from './queries.ts';

/** What rests on prices is asked for again after this long: they change all the time, and no event says so. */
export const pricesRefresh_ms = 60_000;

const staleOn = new Map<LiveTopic, Set<LightCall>>();

/** Declares which calls' data an event of these topics makes stale; each feature declares its own, once, when its module loads. */
export function invalidateOn(topics: readonly LiveTopic[], calls: readonly LightCall[]): void {
  for (const topic of topics) {
    const known = staleOn.get(topic) ?? new Set();
    for (const call of calls) known.add(call);
    staleOn.set(topic, known);
  }
}

/** Marks what an event makes stale. */
export function dispatch(event: LiveEvent): void {
  for (const call of staleOn.get(event.topic) ?? []) {
    void invalidateCall(call);
  }
}
