import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** Secrets of endpoints, sealed. */

export async function insertSecret(tx: Tx, endpointId: string, sealed: Buffer): Promise<void> {
  await sql`
    insert into webhook_secret (company_id, endpoint_id, id, sealed)
    values (company_id(), ${endpointId}, ${newId()}, ${sealed})`.execute(tx);
}

/** Those that are valid at an instant, the newest first. */
export async function findSecrets(tx: Tx, endpointId: string, at: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from webhook_secret
    where company_id = company_id() and endpoint_id = ${endpointId} and (ends_at is null or ends_at > ${at})
    order by ends_at is not null, made_at desc`.execute(tx);
  return rows.map(({ sealed }) => sealed);
}

/** Until when the one before the last rotation signs, by endpoint. */
export async function findPrevious(tx: Tx, at: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ endpointId: string; endsAt: Date }>`
    select endpoint_id as "endpointId", ends_at as "endsAt" from webhook_secret
    where company_id = company_id() and ends_at > ${at}`.execute(tx);
  return new Map(rows.map(({ endpointId, endsAt }) => [endpointId, endsAt]));
}

/** Removes the previous one; false where there is none that is valid. */
export async function deletePrevious(tx: Tx, endpointId: string, at: Date): Promise<boolean> {
  const { rows } = await sql<{ endsAt: Date }>`
    delete from webhook_secret where company_id = company_id() and endpoint_id = ${endpointId} and ends_at is not null
    returning ends_at as "endsAt"`.execute(tx);
  return rows.some(({ endsAt }) => endsAt > at);
}

/** From when on the current one signs no more; a new one is inserted after it. */
export async function endCurrent(tx: Tx, endpointId: string, endsAt: Date): Promise<void> {
  await sql`
    update webhook_secret set ends_at = ${endsAt}
    where company_id = company_id() and endpoint_id = ${endpointId} and ends_at is null`.execute(tx);
}

export async function deleteSecrets(tx: Tx, endpointId: string): Promise<void> {
  await sql`delete from webhook_secret where company_id = company_id() and endpoint_id = ${endpointId}`.execute(tx);
}
