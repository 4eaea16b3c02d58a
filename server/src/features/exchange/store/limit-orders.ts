import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

export interface DueOrder {
  companyId: string;
  id: string;
}

/** Before every id. */
const first = '00000000-0000-0000-0000-000000000000';

/** Limit orders of all companies that are over, or that the middle prices may have reached; by their ids, after one of them. */
export async function findDueOrders(tx: PlatformTx, after: string | null, most: number): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    select company_id as "companyId", transaction_id as id from exchange_limits_due(${after ?? first}, ${most})`.execute(
    tx,
  );
  return rows;
}
