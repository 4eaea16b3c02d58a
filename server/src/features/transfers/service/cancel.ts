import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { cancelTransfer } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { cancelPayment, type OutgoingKind } from '../../outgoing/index.ts';

/**
 * Cancels a transfer of one's own that has not been handed to signing; its hold is given back at once.
 * @throws DomainError notFound, transferNotOwn, transferNotCancellable
 */
export async function cancel(
  tx: Tx,
  context: SignedInContext & { kind: OutgoingKind },
  { id }: Body<typeof cancelTransfer>,
): Promise<OutputInput<typeof cancelTransfer>> {
  const refundId = await cancelPayment(tx, context, context.kind, id);
  return { id, status: 'failed', stage: 'cancelled', refundId };
}
