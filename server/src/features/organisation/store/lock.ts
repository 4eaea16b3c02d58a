import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/**
 * One change of members, roles or departments at a time in a company: "the last administrator" and "no cycles" are said of many
 * rows at once, which no constraint can. Held to the transaction's end.
 */
export async function lockOrganisation(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('organisation ' || company_id()::text, 0))`.execute(tx);
}
