import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { refuseQueued } from '../../../platform/database/queued.ts';

/** What the worker reads of rows that were sent again. */

/** The notice of a row that was paid by two transactions; its source is the first of their ids. */
export const paidTwiceNotice = 'batchPaidTwice';

/** The other transactions of a transaction's row, in the order of their runs; none: it is of no batch. */
export async function findSiblings(tx: Tx, transactionId: string): Promise<string[]> {
  // A further run that is queued has attempts that are no transactions yet. One that is submitted later does not have the row: it was paid by then.
  await refuseQueued(tx);
  const { rows } = await sql<{ id: string }>`
    select other.transaction_id as id from payout_batch_entry e
    join payout_batch_entry other on other.company_id = e.company_id and other.row_id = e.row_id and other.transaction_id <> e.transaction_id
    join payout_batch_run r on r.company_id = other.company_id and r.id = other.run_id
    where e.company_id = company_id() and e.transaction_id = ${transactionId} order by r.number`.execute(tx);
  return rows.map(({ id }) => id);
}

/** All companies that have sent rows of a batch again. */
export async function companiesWithRepeatedRows(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from payout_batch_run where number > 1 order by 1`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/**
 * The company's payments that were completed so many milliseconds ago and that `stopOthers` has something to do for: another attempt at their row waits for
 * approval or its turn, or is or was paid as well without a notice that says it; the oldest first.
 */
export async function findUnstopped(tx: Tx, { olderMs, most }: { olderMs: number; most: number }): Promise<string[]> {
  await refuseQueued(tx);
  const { rows } = await sql<{ id: string }>`
    select p.id from (
      select distinct paid.id, paid.stage_at from payout_batch_run r
      join payout_batch_entry later on later.company_id = r.company_id and later.run_id = r.id
      join payout_batch_entry e on e.company_id = later.company_id and e.row_id = later.row_id
      join payout_batch_entry o on o.company_id = e.company_id and o.row_id = e.row_id and o.transaction_id <> e.transaction_id
      join transaction paid on paid.company_id = e.company_id and paid.id = e.transaction_id and paid.status = 'completed'
      join transaction other on other.company_id = o.company_id and other.id = o.transaction_id and other.status <> 'failed'
      where r.company_id = company_id() and r.number > 1
        and (other.stage in ('waiting_approval', 'approved') or not exists (
          select from notice n where n.company_id = paid.company_id and n.source_id = least(paid.id, other.id) and n.kind = ${paidTwiceNotice}))
    ) p
    where p.stage_at < now() - make_interval(secs => ${olderMs / 1000})
    order by p.stage_at, p.id limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}
