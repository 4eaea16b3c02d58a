import { sql } from 'kysely';
import type { CompaniesTx, Tx } from './database.ts';

/**
 * Rows of a company that are held and not entered as transactions yet (docs/adr/0116-…). What decides by a company's transactions is refused
 * until they are entered, and then tried again (`Database.whenQueued`).
 */

/** Refuses the transaction while rows of one of these companies are queued. Issued behind a lock that submissions hold, it sees the rows of each that held it before. */
export async function refuseQueuedOf(tx: CompaniesTx, companyIds: readonly string[]): Promise<void> {
  await sql`select refuse_queued(${[...companyIds]}::uuid[])`.execute(tx);
}

/** The same for the company of the transaction. */
export function refuseQueued(tx: Tx): Promise<void> {
  return refuseQueuedOf(tx, [tx.companyId]);
}
