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

/** How many of a batch's rows have been paid, and of how many every payment failed; the others are under way. */
export interface BatchProgress {
  batchId: string;
  completed: number;
  failed: number;
}

/** Of those of the batches that were submitted. */
export async function readProgress(tx: Tx, batchIds: readonly string[]): Promise<BatchProgress[]> {
  const { rows } = await sql<BatchProgress>`
    select r.batch_id as "batchId", count(*) filter (where r."isCompleted")::integer as completed,
      count(*) filter (where r."isFailed")::integer as failed
    from (
      select r.batch_id, bool_or(t.status = 'completed') as "isCompleted", bool_and(t.status = 'failed') as "isFailed"
      from payout_batch_run r
      left join payout_batch_entry e on e.company_id = r.company_id and e.run_id = r.id
      left join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
      where r.company_id = company_id() and r.batch_id = any (${[...batchIds]}::uuid[])
      group by r.batch_id, e.row_id
    ) r
    group by r.batch_id`.execute(tx);
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
