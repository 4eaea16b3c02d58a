import {
  listWebhookDeliveries,
  type WebhookDeliveryState,
  type WebhookLoggedType,
  type WebhookProblem,
} from '@causeway/contract/webhooks.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList, since, until } from '../../../platform/database/list.ts';

/** The log of deliveries, as the company reads it. */

export interface LoggedDelivery {
  id: string;
  eventId: string;
  endpointId: string;
  url: string;
  description: string;
  isRemoved: boolean;
  type: WebhookLoggedType;
  transactionId: string | null;
  state: WebhookDeliveryState;
  attempts: number;
  createdAt: Date;
  nextAt: Date | null;
  endedAt: Date | null;
  lastStatus: number | null;
  lastProblem: WebhookProblem | null;
}

const columns = sql<LoggedDelivery>`d.id, d.event_id as "eventId", d.endpoint_id as "endpointId", e.url, e.description,
  e.removed_at is not null as "isRemoved", v.type, v.transaction_id as "transactionId", d.state, d.attempts, d.created_at as "createdAt",
  d.next_at as "nextAt", d.ended_at as "endedAt", d.last_status as "lastStatus", d.last_problem as "lastProblem"`;
const joined = sql`webhook_delivery d
  join webhook_event v on v.company_id = d.company_id and v.id = d.event_id
  join webhook_endpoint e on e.company_id = d.company_id and e.id = d.endpoint_id`;

/** An id as it is written, or within a `webhook-id`. */
const idInWords = /^(?:evt_)?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

export const deliveryList = defineList(listWebhookDeliveries, {
  from: () => joined,
  where: () => sql`d.company_id = company_id()`,
  filters: {
    endpointId: (id) => sql`d.endpoint_id = ${id}`,
    type: (type) => sql`v.type = ${type}`,
    state: (state) => sql`d.state = ${state}`,
    from: (instant) => since(sql`d.created_at`, instant),
    to: (instant) => until(sql`d.created_at`, instant),
    keyword(keyword) {
      const sought = keyword.trim();
      if (sought === '') return null;
      const id = idInWords.exec(sought)?.[1]?.toLowerCase();
      // Whatever is no id is found nowhere.
      return id === undefined
        ? sql`false`
        : sql`(d.event_id = ${id} or d.event_id in (
            select s.id from webhook_event s where s.company_id = company_id() and s.transaction_id = ${id}))`;
    },
  },
  columns: () => columns,
  orders: { time: { by: sql`d.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`d.id`,
});

export async function findDelivery(tx: Tx, id: string): Promise<(LoggedDelivery & { body: string }) | null> {
  const { rows } = await sql<LoggedDelivery & { body: string }>`
    select ${columns}, v.body from ${joined} where d.company_id = company_id() and d.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export interface AttemptRow {
  number: number;
  at: Date;
  durationMs: number;
  status: number | null;
  problem: WebhookProblem | null;
  answer: string | null;
  headers: Record<string, string>;
}

export async function findAttempts(tx: Tx, deliveryId: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, at, duration_ms as "durationMs", status, problem, answer, headers from webhook_attempt
    where company_id = company_id() and delivery_id = ${deliveryId} order by number desc limit 100`.execute(tx);
  return rows;
}
