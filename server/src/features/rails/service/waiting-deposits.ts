import { formatAmount } from '@causeway/contract/money.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { accelerationOf } from '../bitcoin/store/accelerations.ts';
import { findWaitingTerms } from '../store/parts.ts';

/** What may still happen to a deposit that waits for a block; null where it does not. */
export async function waitingOf(tx: Tx, transactionId: string): Promise<TransactionDetail['waiting']> {
  const terms = await findWaitingTerms(tx, transactionId);
  if (terms === null) return null;
  const { replaceable, feeRate, economyRate, urgentRate } = terms;
  const accelerationId = await accelerationOf(tx, transactionId);
  return {
    replaceable,
    feeRate: feeRate === null ? null : formatAmount(BigInt(feeRate), 3),
    isLow: feeRate !== null && economyRate !== null && feeRate < economyRate,
    accelerationId,
    canAccelerate: accelerationId === null && feeRate !== null && urgentRate !== null && feeRate < urgentRate,
  };
}
