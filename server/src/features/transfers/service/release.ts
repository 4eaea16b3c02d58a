import type { Stage } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { accountsByKind, move, post } from '../../ledger/index.ts';
import { forget } from '../../risk/index.ts';
import { transferEvents } from '../events.ts';
import { changeStage, insertRefund, type LifecycleRow } from '../store/lifecycle.ts';

/**
 * Ends a transfer that will not be sent: failed or cancelled, the hold (amount and fee) back to available, and a
 * `failed_refund` beside it.
 * @returns the refund's id; null when the transfer no longer stands at one of `from` and nothing was done.
 */
export async function release(
  tx: Tx,
  transfer: LifecycleRow,
  from: readonly Stage[],
  end: {
    stage: 'failed' | 'cancelled' | 'refused';
    reason: string;
    actor?: { id: string; name: string };
    hash?: string;
  },
): Promise<string | null> {
  const moved = await changeStage(tx, transfer.id, from, { ...end, status: 'failed' });
  if (!moved) return null;
  const refundId = newId();
  await insertRefund(tx, transfer, refundId);
  // Before the ledger: locks are taken in one order.
  await forget(tx, transfer.id);
  const accounts = await accountsByKind(tx, transfer.walletId, ['outbound', 'available']);
  await post(tx, {
    id: newId(),
    kind: 'transfer.release',
    sourceId: transfer.id,
    description: `${end.stage} transfer given back`,
    legs: move(accounts.outbound.id, accounts.available.id, transfer.quantityMinor + transfer.feeMinor),
  });
  await announce(tx, [
    {
      name: end.stage === 'cancelled' ? transferEvents.cancelled : transferEvents.failed,
      payload: { transactionId: transfer.id },
    },
    live('transaction', transfer.id),
    live('balance', transfer.walletId),
  ]);
  return refundId;
}
