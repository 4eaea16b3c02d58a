import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Recovery codes as they are kept: HMACs, used or not. */

export interface RecoveryCodeCount {
  left: number;
  total: number;
  createdAt: Date | null;
}

export async function countRecoveryCodes(tx: Tx, userId: string): Promise<RecoveryCodeCount> {
  const { rows } = await sql<RecoveryCodeCount>`
    select (count(*) filter (where used_at is null))::int as left, count(*)::int as total, min(created_at) as "createdAt"
    from recovery_code where company_id = company_id() and user_id = ${userId}`.execute(tx);
  return rows[0] ?? { left: 0, total: 0, createdAt: null };
}

/** The new ones take the place of all earlier ones; none makes all void. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, macs: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where company_id = company_id() and user_id = ${userId}`.execute(tx);
  if (macs.length === 0) return;
  await sql`
    insert into recovery_code (company_id, user_id, code_mac)
    select company_id(), ${userId}, mac from unnest(${[...macs]}::bytea[]) as mac`.execute(tx);
}

/** False when there is no such code, or it was used before. */
export async function markRecoveryCodeUsed(tx: Tx, userId: string, mac: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_code set used_at = now()
    where company_id = company_id() and user_id = ${userId} and code_mac = ${mac} and used_at is null`.execute(tx);
  return numAffectedRows === 1n;
}
