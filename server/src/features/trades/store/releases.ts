import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

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
