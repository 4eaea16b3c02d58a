import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { cancelExchange } from '@causeway/contract/exchange.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { cancelPayment } from '../../outgoing/index.ts';
import { findType } from '../../transactions/index.ts';
import { exchangeKinds } from '../kind.ts';

/**
 * Cancels an exchange of one's own that waits for approval or for its rate; its hold is given back at once.
 * @throws DomainError notFound, exchangeNotOwn, exchangeNotCancellable
 */
export async function cancel(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof cancelExchange>,
): Promise<OutputInput<typeof cancelExchange>> {
  const type = await findType(tx, id);
  if (type === null) throw new DomainError('notFound');
  const kind = Object.values(exchangeKinds).find((each) => each.type === type);
  if (!kind) throw new DomainError('exchangeNotCancellable');
  const refundId = await cancelPayment(tx, context, kind, id);
  return { id, status: 'failed', stage: 'cancelled', refundId };
}
