import type { LiveTopic } from '@causeway/contract/live.ts';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '../ids.ts';
import type { Tx } from './database.ts';

/**
 * Announces what happened, in the transaction in which it happened. The worker's relay turns each row into the jobs that
 * subscribed to its name; the name `live` goes to the browsers of the company.
 */
export interface OutboxEvent {
  name: string;
  payload: Record<string, unknown>;
}

export async function announce(tx: Tx, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length > 0) await announcing(events).execute(tx);
}

/** The same as part of another statement; a condition may follow. */
export function announcing(events: readonly OutboxEvent[]): RawBuilder<unknown> {
  return sql`
    insert into outbox (company_id, id, name, payload)
    select company_id(), e.id, e.name, e.payload
    from unnest(${events.map(() => newId())}::uuid[], ${events.map((event) => event.name)}::text[],
      ${events.map((event) => JSON.stringify(event.payload))}::jsonb[]) as e (id, name, payload)`;
}

/** Tells the company's open browsers that something of a topic has changed. */
export function live(topic: LiveTopic, id: string | null = null): OutboxEvent {
  return { name: 'live', payload: { topic, id } };
}
