import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { cancelPayout } from '@causeway/contract/payments.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { cancelPayment, type OutgoingKind } from '../../outgoing/index.ts';
import { findType } from '../../transactions/index.ts';

/**
 * Cancels a payment of one's own that the bank has not been instructed to make, or, out of coins, that waits for approval; its hold is given back at once.
 * @throws DomainError notFound, payoutNotOwn, payoutNotCancellable
 */
export async function cancel(
  tx: Tx,
  context: SignedInContext & { kind: OutgoingKind; coins: OutgoingKind },
  { id }: Body<typeof cancelPayout>,
): Promise<OutputInput<typeof cancelPayout>> {
  const kind = (await findType(tx, id)) === context.coins.type ? context.coins : context.kind;
  const refundId = await cancelPayment(tx, context, kind, id);
  return { id, status: 'failed', stage: 'cancelled', refundId };
}
