import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Runs without their rows, whether or not these are entered. */

export async function findBatchesOfRuns(
  tx: Tx,
  runIds: readonly string[],
): Promise<{ runId: string; id: string; name: string }[]> {
  const { rows } = await sql<{ runId: string; id: string; name: string }>`
    select r.id as "runId", b.id, b.name
    from payout_batch_run r join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
    where r.company_id = company_id() and r.id = any (${[...runIds]}::uuid[])`.execute(tx);
  return rows;
}

/** What is known of a run without its rows. */
export async function findRunHead(
  tx: Tx,
  id: string,
): Promise<{ batchId: string; batchName: string; initiatorId: string; rows: number } | null> {
  const { rows } = await sql<{ batchId: string; batchName: string; initiatorId: string; rows: number }>`
    select r.batch_id as "batchId", b.name as "batchName", r.initiator_id as "initiatorId", r.row_count as rows
    from payout_batch_run r join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
    where r.company_id = company_id() and r.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}
