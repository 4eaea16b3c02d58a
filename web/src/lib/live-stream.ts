import { liveEvent } from '@causeway/contract/live.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import * as z from 'zod/mini';
import { failureOf, jsonOf, request } from './client.ts';
import type { LightCall } from './light-call.ts';
import { dispatch } from './live.ts';
import { queryClient } from './queries.ts';
import { sessionToken } from './session.ts';

/** First wait before a new try, and the longest, in milliseconds; each try doubles it, a received event resets it. */
const backOff_ms = { first: 1000, most: 30_000 };

export interface LiveHandlers {
  /** The connection came up or went down. */
  onState?: (connected: boolean) => void;
  /** The server refused the stream for good (no permission; an ended session is reported by the client). */
  onRefused?: (status: number) => void;
}

/**
 * Opens the tab's one stream of events and keeps it open: after a cut it comes back with growing pauses and the id of
 * the last event seen, so that the server can send what was missed. After a gap everything on screen is read afresh,
 * because the server may not remember that far. Returns a function that closes it.
 */
export function openLive(call: LightCall, handlers: LiveHandlers = {}): () => void {
  const stop = new AbortController();
  void run(call, handlers, stop.signal);
  return () => stop.abort();
}

async function run(call: LightCall, handlers: LiveHandlers, signal: AbortSignal): Promise<void> {
  const state: StreamState = { lastId: null, wait_ms: backOff_ms.first, connectedBefore: false };
  while (!signal.aborted) {
    const status = await follow(call, state, handlers, signal).catch(() => 0);
    if (signal.aborted) return;
    handlers.onState?.(false);
    if (status === 401 || status === 403 || status === 404) {
      handlers.onRefused?.(status);
      return;
    }
    await pause(state.wait_ms, signal);
    state.wait_ms = Math.min(state.wait_ms * 2, backOff_ms.most);
  }
}

interface StreamState {
  lastId: string | null;
  wait_ms: number;
  connectedBefore: boolean;
}

/** One connection, from opening to end; returns the HTTP status. */
async function follow(
  call: LightCall,
  state: StreamState,
  handlers: LiveHandlers,
  signal: AbortSignal,
): Promise<number> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (state.lastId !== null) headers['last-event-id'] = state.lastId;
  const token = sessionToken();
  const response = await request(call, {}, { signal, headers });
  if (response.status === 401) failureOf({ token, status: 401, answer: await jsonOf(response) });
  if (!response.ok || response.body === null) return response.status;
  handlers.onState?.(true);
  if (state.connectedBefore) void queryClient.invalidateQueries();
  state.connectedBefore = true;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    state.wait_ms = backOff_ms.first;
    if (next.value.id !== undefined) state.lastId = next.value.id;
    const event = z.safeParse(liveEvent, parsed(next.value.data));
    // An event of a newer server that this page does not know yet is no reason to stop.
    if (event.success) dispatch(event.data);
  }
  return response.status;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
