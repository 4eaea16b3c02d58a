import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** The payment that a line of the timeline says was made: both were written in one transaction, the line no earlier. */
export async function findReleaseOf(tx: Tx, lineId: string): Promise<string | null> {
  // Compared in the database: a Date has no microseconds.
  const { rows } = await sql<{ id: string }>`
    select r.transaction_id as id from trade_line l
    join trade_release r on r.company_id = l.company_id and r.trade_id = l.trade_id and r.at <= l.at
    where l.company_id = company_id() and l.id = ${lineId} order by r.at desc, r.transaction_id desc limit 1`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** A payment to the seller; amounts in minor units. */
export async function insertRelease(
  tx: Tx,
  release: {
    transactionId: string;
    tradeId: string;
    milestoneId: string | null;
    amountMinor: bigint;
    fromEscrowMinor: bigint;
  },
): Promise<void> {
  await sql`
    insert into trade_release (company_id, transaction_id, trade_id, milestone_id, amount, from_escrow)
    values (company_id(), ${release.transactionId}, ${release.tradeId}, ${release.milestoneId}, ${release.amountMinor.toString()}::numeric,
      ${release.fromEscrowMinor.toString()}::numeric)`.execute(tx);
}
