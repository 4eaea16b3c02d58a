import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Companies with transactions that were written without a value. */
export async function findUnvaluedCompanies(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct company_id as id from transaction_unvalued`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Values the company's transactions of past days that have none (migration 0124), at most so many. @returns how many */
export async function valueTransactions(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ filled: number }>`select value_transactions(${most}) as filled`.execute(tx);
  return rows[0]?.filled ?? 0;
}
