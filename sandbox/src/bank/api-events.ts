import { randomUUID } from 'node:crypto';
import type { Json } from './api-json.ts';
import { settingsOf, type Turn } from './ledger.ts';

/** Makes an event due for the customer's webhook, or keeps it while the desk holds events back. */
export function addEvent(turn: Turn, name: string, data: Json): void {
  const id = randomUUID();
  const state = settingsOf(turn).webhooks.mode === 'held' ? 'held' : 'due';
  turn.put('webhooks', id, { id, name, data, createdAt: turn.now, attempts: 0, state, nextAt: 0 });
}
