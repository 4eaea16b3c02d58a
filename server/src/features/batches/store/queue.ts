import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Runs whose rows are held and not entered as transactions yet (docs/adr/0116-…). */

export interface QueuedParts {
  /** When it was submitted: ISO 8601, to the microsecond as the run itself has it. */
  at: string;
  /** The seal over the first part. */
  seal: string;
  /** In their order; the first says what the others are. */
  parts: readonly Buffer[];
}

export function insertQueued(tx: Tx, runId: string, { seal, parts }: Omit<QueuedParts, 'at'>): Promise<unknown>[] {
  return parts.map((content, part) =>
    sql`
      insert into payout_batch_queue (company_id, run_id, part, content, seal)
      values (company_id(), ${runId}, ${part}, ${content}, ${part === 0 ? seal : null})`.execute(tx),
  );
}

/** Locks the company's runs that are queued, the oldest first: of two processes the second waits, and finds none. */
export async function lockQueued(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ runId: string }>`
    select run_id as "runId" from payout_batch_queue
    where company_id = company_id() and part = 0 order by created_at, run_id for update`.execute(tx);
  return rows.map(({ runId }) => runId);
}

/** Of those that were submitted so long ago, the oldest, locked. Milliseconds. */
export async function lockOverdue(tx: Tx, olderMs: number): Promise<string | null> {
  const { rows } = await sql<{ runId: string }>`
    select run_id as "runId" from payout_batch_queue
    where company_id = company_id() and part = 0 and created_at < now() - make_interval(secs => ${olderMs / 1000})
    order by created_at, run_id limit 1 for update`.execute(tx);
  return rows[0]?.runId ?? null;
}

export async function readQueued(tx: Tx, runId: string): Promise<QueuedParts> {
  const { rows } = await sql<{ content: Buffer; seal: string | null; at: string }>`
    select content, seal, to_json(created_at) #>> '{}' as at from payout_batch_queue
    where company_id = company_id() and run_id = ${runId} order by part`.execute(tx);
  return {
    at: rows[0]?.at ?? '',
    seal: rows[0]?.seal ?? '',
    parts: rows.map(({ content }) => content),
  };
}

export async function deleteQueued(tx: Tx, runId: string): Promise<void> {
  await sql`delete from payout_batch_queue where company_id = company_id() and run_id = ${runId}`.execute(tx);
}

/** The companies that have such runs, the longest first. */
export async function findQueuedCompanies(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{
    companyId: string;
  }>`select company_id as "companyId" from payout_batches_queued()`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}
