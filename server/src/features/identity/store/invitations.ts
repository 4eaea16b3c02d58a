import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** An invitation as the operator sees it; the code itself is shown once, when it is made. */
export interface Invitation {
  id: string;
  label: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  usedByCompanyId: string | null;
  revokedAt: Date | null;
}

export async function insertInvitation(
  tx: PlatformTx,
  made: { id: string; codeSha256: Buffer; label: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into invitation (id, code_sha256, label, expires_at)
    values (${made.id}, ${made.codeSha256}, ${made.label}, ${made.expiresAt})`.execute(tx);
}

/** False when there is none, or it was used or revoked already. */
export async function markRevoked(tx: PlatformTx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update invitation set revoked_at = now() where id = ${id} and used_at is null and revoked_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Newest first. */
export async function findInvitations(tx: PlatformTx, limit: number): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select id, label, created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt",
      used_by_company_id as "usedByCompanyId", revoked_at as "revokedAt"
    from invitation order by id desc limit ${limit}`.execute(tx);
  return rows;
}
