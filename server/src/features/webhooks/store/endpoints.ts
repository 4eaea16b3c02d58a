import type { WebhookEventType, WebhookOffReason } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { Health } from '../domain.ts';

export interface EndpointRow extends Health {
  id: string;
  url: string;
  description: string;
  /** Null: all. */
  events: WebhookEventType[] | null;
  enabled: boolean;
  /** Since when it is on. */
  since: Date;
  offReason: WebhookOffReason | null;
  offAt: Date | null;
  deliveredAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

const columns = sql`id, url, description, events, enabled, since, off_reason as "offReason", off_at as "offAt", failures,
  failing_since as "failingSince", paused_until as "pausedUntil", delivered_at as "deliveredAt", created_by as "createdBy", created_at as "createdAt"`;

/** The company's endpoints that are not removed, the oldest first. */
export async function findEndpoints(tx: Tx): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoint where company_id = company_id() and removed_at is null order by created_at, id`.execute(
    tx,
  );
  return rows;
}

export async function findEndpoint(tx: Tx, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoint where company_id = company_id() and id = ${id} and removed_at is null`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The same, locked until the transaction's end. */
export async function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoint where company_id = company_id() and id = ${id} and removed_at is null
    for no key update`.execute(tx);
  return rows[0] ?? null;
}

type NewEndpoint = Pick<EndpointRow, 'id' | 'url' | 'description' | 'events' | 'createdBy'>;

/** Adds one where the company has fewer than `most`, whatever is added at the same time; false where not. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint, most: number): Promise<boolean> {
  const { id, url, description, events, createdBy } = endpoint;
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks of ' || company_id(), 0))`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into webhook_endpoint (company_id, id, url, description, events, created_by)
    select company_id(), ${id}, ${url}, ${description}, ${events}::text[], ${createdBy}
    where (select count(*) from webhook_endpoint where company_id = company_id() and removed_at is null) < ${most}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export async function updateEndpoint(
  tx: Tx,
  { id, description, events }: Pick<EndpointRow, 'id' | 'description' | 'events'>,
): Promise<void> {
  await sql`
    update webhook_endpoint set description = ${description}, events = ${events}::text[]
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function moveEndpoint(tx: Tx, id: string, url: string): Promise<void> {
  await sql`
    update webhook_endpoint set url = ${url}, failures = 0, failing_since = null, paused_until = null
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** What happens from now on is delivered to it. */
export async function switchOn(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoint set enabled = true, since = clock_timestamp(), off_reason = null, off_at = null, failures = 0, failing_since = null,
      paused_until = null
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function switchOff(tx: Tx, id: string, reason: WebhookOffReason, at: Date): Promise<void> {
  await sql`
    update webhook_endpoint set enabled = false, off_reason = ${reason}, off_at = ${at}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function markRemoved(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoint set removed_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Keeps what an attempt says of an endpoint. */
export async function updateHealth(
  tx: Tx,
  id: string,
  { failures, failingSince, pausedUntil }: Health,
  deliveredAt: Date | null,
): Promise<void> {
  await sql`
    update webhook_endpoint set failures = ${failures}, failing_since = ${failingSince}, paused_until = ${pausedUntil},
      delivered_at = coalesce(${deliveredAt}, delivered_at)
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Endpoints that are on, and stay so until the transaction's end: which events each receives, and since when. */
export async function findListening(tx: Tx): Promise<Pick<EndpointRow, 'id' | 'events' | 'since'>[]> {
  const { rows } = await sql<Pick<EndpointRow, 'id' | 'events' | 'since'>>`
    select id, events, since from webhook_endpoint where company_id = company_id() and enabled order by id for share`.execute(
    tx,
  );
  return rows;
}

/** Of some companies, those with an endpoint that is on. */
export async function findCompaniesListening(tx: PlatformTx, companyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from webhook_endpoint
    where enabled and company_id = any (${[...companyIds]}::uuid[])`.execute(tx);
  return new Set(rows.map(({ companyId }) => companyId));
}
