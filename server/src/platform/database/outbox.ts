import type { LiveTopic } from '@causeway/contract/live.ts';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '../ids.ts';
import type { CompaniesTx, Tx } from './database.ts';
import { uuids } from './sets.ts';

/**
 * Announces what happened, in the transaction in which it happened. The worker's relay turns each row into the jobs that
 * subscribed to its name; the name `live` goes to the browsers of the company.
 */
export interface OutboxEvent {
  name: string;
  payload: Record<string, unknown>;
}

export async function announce(tx: Tx, events: readonly OutboxEvent[]): Promise<void> {
  await announceAll(
    tx,
    events.map((event) => ({ companyId: tx.companyId, ...event })),
  );
}

/** The same for several companies. */
export async function announceAll(
  tx: CompaniesTx,
  events: readonly (OutboxEvent & { companyId: string })[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into outbox (company_id, id, name, payload)
    select * from rows from (
      unnest(${uuids(events.map(({ companyId }) => companyId))}, ${events.map(() => newId())}::uuid[],
        ${events.map(({ name }) => name)}::text[]),
      jsonb_array_elements(${JSON.stringify(events.map(({ payload }) => payload))}::jsonb))`.execute(tx);
}

/** `announce` as part of another statement of one company; a condition may follow. */
export function announcing(events: readonly OutboxEvent[]): RawBuilder<unknown> {
  return sql`
    insert into outbox (company_id, id, name, payload)
    select company_id(), e.id, e.name, e.payload
    from unnest(${uuids(events.map(() => newId()))}, ${events.map((event) => event.name)}::text[],
      ${events.map((event) => JSON.stringify(event.payload))}::jsonb[]) as e (id, name, payload)`;
}

/** Tells the company's open browsers that something of a topic has changed. */
export function live(topic: LiveTopic, id: string | null = null): OutboxEvent {
  return { name: 'live', payload: { topic, id } };
}
