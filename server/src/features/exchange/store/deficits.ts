import { sql } from 'kysely';
import type { CompaniesTx } from '../../../platform/database/database.ts';

/** Fails the transaction, which is then run again, where a shortfall, by what was repaid of it, is more than made good: it was read before its account was locked. */
export async function requireOwed(
  tx: CompaniesTx,
  repaid: readonly { companyId: string; accountId: string }[],
): Promise<void> {
  await sql`select exchange_require_owed(${repaid.map(({ companyId }) => companyId)}::uuid[],
    ${repaid.map(({ accountId }) => accountId)}::uuid[])`.execute(tx);
}
