import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Events of the platform as a company keeps them. */

/** Serialises the events of a trade in a company until the transaction's end; before its first one there is no row to lock. */
export async function lockEvents(tx: Tx, tradeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('trade/' || company_id()::text || '/' || ${tradeId}, 0))`.execute(
    tx,
  );
}

/** @returns false where the company has one of this version already, which counts */
export async function keepEvent(
  tx: Tx,
  event: { tradeId: string; version: number; messageId: string; body: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into trade_event (company_id, trade_id, version, message_id, body)
    values (company_id(), ${event.tradeId}, ${event.version}, ${event.messageId}, ${event.body})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

/** The body of a version that waits for those before it; null where it has not arrived. */
export async function findWaiting(tx: Tx, tradeId: string, version: number): Promise<string | null> {
  const { rows } = await sql<{ body: string }>`
    select body from trade_event
    where company_id = company_id() and trade_id = ${tradeId} and version = ${version} and outcome = 'waiting'`.execute(
    tx,
  );
  return rows[0]?.body ?? null;
}

export async function endEvent(
  tx: Tx,
  tradeId: string,
  version: number,
  outcome: 'applied' | 'contradicted',
): Promise<void> {
  await sql`
    update trade_event set outcome = ${outcome}
    where company_id = company_id() and trade_id = ${tradeId} and version = ${version}`.execute(tx);
}

export async function waitingVersions(tx: Tx, tradeId: string): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    select version from trade_event
    where company_id = company_id() and trade_id = ${tradeId} and outcome = 'waiting' order by version`.execute(tx);
  return rows.map(({ version }) => version);
}
