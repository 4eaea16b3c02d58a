import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** The payment that a line of the timeline says was made: both were written in one transaction, the line no earlier. */
export async function findReleaseOf(tx: Tx, tradeId: string, at: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from trade_release
    where company_id = company_id() and trade_id = ${tradeId} and at <= ${at} order by at desc, transaction_id desc limit 1`.execute(
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
