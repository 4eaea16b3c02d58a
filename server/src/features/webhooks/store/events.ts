import type { Stage } from '@causeway/contract/transactions-rules.ts';
import type { WebhookLoggedType } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** Events and the deliveries that they make. */

export interface ReachedStage {
  id: string;
  stage: Stage;
  at: Date;
}

/** The stages that a transaction has come to since an instant, in their order. */
export async function findReached(tx: Tx, transactionId: string, since: Date): Promise<ReachedStage[]> {
  const { rows } = await sql<ReachedStage>`
    select id, stage, at from transaction_stage
    where company_id = company_id() and transaction_id = ${transactionId} and at >= ${since} order by at, id`.execute(
    tx,
  );
  return rows;
}

export interface NewEvent {
  id: string;
  type: WebhookLoggedType;
  transactionId: string | null;
  body: string;
  at: Date;
}

/** Writes an event unless it is there; its body stays as it was. */
export async function insertEvent(tx: Tx, { id, type, transactionId, body, at }: NewEvent): Promise<void> {
  await sql`
    insert into webhook_event (company_id, id, type, transaction_id, body, at)
    values (company_id(), ${id}, ${type}, ${transactionId}, ${body}, ${at}) on conflict do nothing`.execute(tx);
}

/** Makes a delivery to each of some endpoints that has none of this event. @returns the ids of those made */
export async function insertDeliveries(tx: Tx, eventId: string, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into webhook_delivery (company_id, id, event_id, endpoint_id)
    select company_id(), d.id, ${eventId}, d.endpoint_id
    from unnest(${endpointIds.map(() => newId())}::uuid[], ${[...endpointIds]}::uuid[]) as d (id, endpoint_id)
    on conflict (company_id, event_id, endpoint_id) do nothing returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Removes some of the events that the log no longer reaches back to, with their deliveries; returns how many. */
export async function deleteExpired(tx: PlatformTx, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_event where (company_id, id) in (
      select company_id, id from webhook_event where created_at < now() - interval '90 days' order by created_at limit ${most}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
