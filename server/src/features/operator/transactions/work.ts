import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

type Work = OperatorTransactionDetail['work'];

interface WorkRow {
  kind: 'announced' | 'queued';
  name: string;
  since: Date;
  attempts: number;
  maxAttempts: number;
  lastError: string | null;
  nextAt: Date | null;
}

/**
 * What the worker has still to do about a transaction: what the outbox holds now, and its jobs as it reported them last; jobs that were tried
 * as often as they may be have no next time.
 */
export async function workOf(tx: Tx, transactionId: string): Promise<{ work: Work; workReportedAt: string | null }> {
  const { rows } = await sql<WorkRow>`
    select 'announced' as kind, name, announced_at as since, 0 as attempts, 0 as "maxAttempts", null as "lastError", null as "nextAt"
    from outbox_about(company_id(), ${transactionId})
    union all
    select 'queued', name, queued_at, attempts, max_attempts, error, case when attempts < max_attempts then run_at end
    from waiting_job where company_id = company_id() and about @> array[${transactionId}::uuid]
    order by since`.execute(tx);
  const reported = await sql<{ at: Date | null }>`select max(checked_at) as at from component_state`.execute(tx);
  return {
    work: rows.map(({ since, nextAt, ...row }) => ({
      ...row,
      since: since.toISOString(),
      nextAt: nextAt?.toISOString() ?? null,
    })),
    workReportedAt: reported.rows[0]?.at?.toISOString() ?? null,
  };
}
