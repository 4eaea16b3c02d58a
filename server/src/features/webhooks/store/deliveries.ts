import type { WebhookDeliveryState, WebhookProblem } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { failuresBeforePause, mostPerEndpoint } from '../domain.ts';

/** Deliveries as workers take them, send them and write down what came of it. */

/** Longer than an attempt can take: a delivery whose worker was killed is tried again after it. */
export const leaseMs = 60_000;

export interface Claimed {
  companyId: string;
  id: string;
  endpointId: string;
  isFailing: boolean;
}

/**
 * Takes deliveries that are due, of whatever company, for so long as `leaseMs`: of each endpoint a few at most, those that another worker has under way
 * counted; of one that failed, one. Workers take turns, so that they count right; one whose turn it is not gets none.
 * @param failing endpoints whose last attempt failed, or the others
 */
export async function claimDeliveries(
  tx: PlatformTx,
  { leaseId, now, most, failing }: { leaseId: string; now: Date; most: number; failing: boolean },
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended('webhooks.claim', 0)) as mine),
    picked as (
      select d.company_id, d.id from turn, webhook_endpoint e
      cross join lateral (
        select w.company_id, w.id, w.next_at from webhook_delivery w
        where w.company_id = e.company_id and w.endpoint_id = e.id and w.state = 'waiting' and w.next_at <= ${now}
          and (w.lease_until is null or w.lease_until <= ${now})
        order by w.next_at
        limit greatest(0, case when e.failures >= ${failuresBeforePause} then 1 else ${mostPerEndpoint} end - (
          select count(*) from webhook_delivery u
          where u.company_id = e.company_id and u.endpoint_id = e.id and u.state = 'waiting' and u.lease_id is not null and u.lease_until > ${now}))
        for update skip locked
      ) d
      where turn.mine and e.enabled and (e.failures > 0) = ${failing} and (e.paused_until is null or e.paused_until <= ${now})
      order by d.next_at limit ${most}
    )
    update webhook_delivery d set lease_id = ${leaseId}, lease_until = ${new Date(now.getTime() + leaseMs)}
    from picked where d.company_id = picked.company_id and d.id = picked.id
    returning d.company_id as "companyId", d.id, d.endpoint_id as "endpointId", ${failing} as "isFailing"`.execute(tx);
  return rows;
}

/** Gives back what a worker that stops has not sent. */
export async function releaseDelivery(tx: Tx, id: string, leaseId: string): Promise<void> {
  await sql`
    update webhook_delivery set lease_id = null, lease_until = null
    where company_id = company_id() and id = ${id} and lease_id = ${leaseId}`.execute(tx);
}

export interface ToSend {
  eventId: string;
  endpointId: string;
  url: string;
  body: string;
}

/** What is sent; null where it no longer is: the endpoint was switched off or removed, or another worker has taken it. */
export async function findToSend(tx: Tx, id: string, leaseId: string): Promise<ToSend | null> {
  const { rows } = await sql<ToSend>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", e.url, v.body
    from webhook_delivery d
    join webhook_endpoint e on e.company_id = d.company_id and e.id = d.endpoint_id and e.enabled
    join webhook_event v on v.company_id = d.company_id and v.id = d.event_id
    where d.company_id = company_id() and d.id = ${id} and d.state = 'waiting' and d.lease_id = ${leaseId}`.execute(tx);
  return rows[0] ?? null;
}

export interface DeliveryRow {
  id: string;
  endpointId: string;
  state: WebhookDeliveryState;
  attempts: number;
  tries: number;
  leaseId: string | null;
}

export async function findEndpointOf(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ endpointId: string }>`
    select endpoint_id as "endpointId" from webhook_delivery where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
  return rows[0]?.endpointId ?? null;
}

/** Locked until the transaction's end. */
export async function lockDelivery(tx: Tx, id: string): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`
    select id, endpoint_id as "endpointId", state, attempts, tries, lease_id as "leaseId" from webhook_delivery
    where company_id = company_id() and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

export interface NewAttempt {
  number: number;
  at: Date;
  durationMs: number;
  status: number | null;
  problem: WebhookProblem | null;
  answer: string | null;
  headers: Readonly<Record<string, string>>;
}

/** Writes an attempt down; of one that has ended, the delivery keeps what it ended with. */
export async function insertAttempt(tx: Tx, deliveryId: string, attempt: NewAttempt): Promise<void> {
  const { number, at, durationMs, status, problem, answer, headers } = attempt;
  await sql`
    insert into webhook_attempt (company_id, delivery_id, number, at, duration_ms, status, problem, answer, headers)
    values (company_id(), ${deliveryId}, ${number}, ${at}, ${durationMs}, ${status}, ${problem}, ${answer}, ${JSON.stringify(headers)}::jsonb)`.execute(
    tx,
  );
  await sql`
    update webhook_delivery set attempts = ${number}, last_status = case when state = 'waiting' then ${status}::integer else last_status end,
      last_problem = case when state = 'waiting' then ${problem} else last_problem end
    where company_id = company_id() and id = ${deliveryId}`.execute(tx);
}

/** How a delivery goes on. `nextAt` null: it has ended. */
export async function updateDelivery(
  tx: Tx,
  id: string,
  {
    state,
    tries,
    nextAt,
    endedAt,
  }: { state: WebhookDeliveryState; tries: number; nextAt: Date | null; endedAt: Date | null },
): Promise<void> {
  await sql`
    update webhook_delivery set state = ${state}, tries = ${tries}, next_at = ${nextAt}, ended_at = ${endedAt}, lease_id = null, lease_until = null
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Ends all that waits for an endpoint that is switched off. */
export async function failWaiting(tx: Tx, endpointId: string, at: Date): Promise<void> {
  await sql`
    update webhook_delivery set state = 'failed', next_at = null, ended_at = ${at}, lease_id = null, lease_until = null, last_problem = 'off'
    where company_id = company_id() and endpoint_id = ${endpointId} and state = 'waiting'`.execute(tx);
}

/** So many deliveries are resent together at most. */
const mostResent = 10_000;

/** Begins failed deliveries of an endpoint again: those of events since an instant, the oldest first. @returns how many */
export async function restartFailed(tx: Tx, endpointId: string, since: Date, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'waiting', tries = 0, next_at = ${at}, ended_at = null
    where company_id = company_id() and id in (
      select id from webhook_delivery
      where company_id = company_id() and endpoint_id = ${endpointId} and state = 'failed' and created_at >= ${since}
      order by created_at limit ${mostResent} for update)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** How many wait at each endpoint of the company. */
export async function countWaiting(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ endpointId: string; count: number }>`
    select endpoint_id as "endpointId", count(*) from webhook_delivery
    where company_id = company_id() and state = 'waiting' group by endpoint_id`.execute(tx);
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]));
}

/** Of all companies: deliveries that are due and wait, those of them whose endpoint fails, and how long the oldest of the others has waited, in seconds. */
export async function readBacklog(tx: PlatformTx): Promise<{ waiting: number; failing: number; age: number }> {
  const { rows } = await sql<{ waiting: number; failing: number; age: number }>`
    select count(*) as waiting, count(*) filter (where failures > 0) as failing,
      coalesce(extract(epoch from now() - min(next_at) filter (where failures = 0 and next_at <= now() and lease_id is null)), 0)::float8 as age
    from (
      select d.next_at, d.lease_id, e.failures from webhook_delivery d
      join webhook_endpoint e on e.company_id = d.company_id and e.id = d.endpoint_id
      where d.state = 'waiting' limit 10000
    ) as waiting`.execute(tx);
  return rows[0] ?? { waiting: 0, failing: 0, age: 0 };
}
