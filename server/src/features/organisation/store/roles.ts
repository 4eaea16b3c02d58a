import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

/** A role of the company's own. */
export interface RoleRow {
  id: string;
  name: string;
  permissions: string[];
  /** US cents, exclusive; null: unlimited. */
  quotaUsdCents: bigint | null;
  active: boolean;
  createdAt: Date;
}

export async function findRoles(tx: Tx): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select id, name, permissions, quota_usd_cents as "quotaUsdCents", active, created_at as "createdAt" from role
    where company_id = company_id() order by lower(name), id`.execute(tx);
  return rows;
}
