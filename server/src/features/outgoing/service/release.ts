import type { Stage } from '@causeway/contract/transactions.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, findPosting, legsOf, move, post } from '../../ledger/index.ts';
import { forget } from '../../risk/index.ts';
import { changeStage, insertRefund, type LifecycleRow, reached } from '../../transactions/index.ts';
import { repayDeficit } from '../../wallets/index.ts';
import type { SubmittedKind } from '../kind.ts';
import { postings } from '../postings.ts';
import { leavingOf } from './leaving.ts';

export interface PaymentEnd {
  stage: 'failed' | 'cancelled' | 'refused';
  /** The id of a sentence, `stage.reason.*`. */
  reason: string;
  actor?: { id: string; name: string };
  hash?: string;
}

/**
 * Ends a payment that will not be made: failed or cancelled, the hold (amount and fee) back to available with a refund beside
 * it, and a shortfall of the wallet repaid from it.
 * @returns the refund's id, the payment's own where nothing was held for it; null when the payment is no longer at one of `from` and nothing was done
 */
export async function release(
  tx: Tx,
  payment: LifecycleRow,
  from: readonly Stage[],
  end: PaymentEnd,
): Promise<string | null> {
  const moved = await changeStage(tx, payment.id, from, end);
  if (!moved) return null;
  if (transactionLives[payment.type].pays !== undefined) return payment.id;
  const refundId = newId();
  // While it waits nothing is bought for it: what is held is its own.
  const side = payment.stage === 'waiting_approval' ? payment : await leavingOf(tx, payment);
  const accounts = await accountsByKind(tx, side.walletId, ['outbound', 'available']);
  // The fee of what waits for a block may have been raised since it was held.
  const isOnChain = transactionLives[payment.type].road.includes('broadcast');
  const heldMinor =
    side === payment && !isOnChain
      ? await heldFor(tx, payment.id, accounts.outbound.id)
      : side.quantityMinor + side.feeMinor;
  await insertRefund(tx, side, refundId, heldMinor);
  // Before the ledger: locks are taken in one order.
  await forget(tx, payment.id);
  await post(tx, {
    id: newId(),
    kind: postings.release,
    sourceId: payment.id,
    description: `hold of a ${end.stage} payment given back`,
    legs: move(accounts.outbound.id, accounts.available.id, heldMinor),
  });
  await announce(tx, [reached(payment.id, end.stage), live('transaction', payment.id), live('balance', side.walletId)]);
  await repayDeficit(tx, side.walletId, refundId);
  return refundId;
}

/** Minor units that were held for a payment. */
export async function heldFor(tx: Tx, id: string, outboundAccountId: string): Promise<bigint> {
  const hold = await findPosting(tx, id, postings.hold);
  invariant(hold !== null, `payment ${id} was held`);
  const leg = (await legsOf(tx, hold)).find(({ accountId }) => accountId === outboundAccountId);
  invariant(leg, `what was held for payment ${id} is in its wallet's account`);
  return leg.amountMinor;
}

/** Ends a payment that its rail will not make, with a line in the audit log. @returns as `release` */
export async function refuse(
  tx: Tx,
  kind: SubmittedKind,
  payment: LifecycleRow,
  from: readonly Stage[],
  end: Pick<PaymentEnd, 'reason'> & { stage: 'failed' | 'refused' },
): Promise<string | null> {
  const refundId = await release(tx, payment, from, end);
  if (refundId === null) return null;
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: kind.actions.fail,
    subjectKind: 'transaction',
    subjectId: payment.id,
    detail: { stage: end.stage, reason: end.reason },
  });
  return refundId;
}
