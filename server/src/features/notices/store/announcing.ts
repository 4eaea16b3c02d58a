import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Companies to whose members an announcement has not been mailed yet, from after one of them on. */
export async function findUnmailed(
  tx: PlatformTx,
  announcementId: string,
  after: string | null,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId"
    from notices_unmailed(${announcementId}::uuid, ${after}::uuid, ${most}::integer)`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/** False when the mails of this transaction's company have fallen due before. */
export async function insertMailing(tx: Tx, announcementId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into announcement_mailing (company_id, announcement_id) values (company_id(), ${announcementId})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 1;
}
