import type { OutputInput } from '@causeway/contract/call.ts';
import type { cancelTransfer } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { type Answered, once } from '../../../platform/idempotency.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { cancellableStages } from '../domain.ts';
import { lockTransaction } from '../store/lifecycle.ts';
import { release } from './release.ts';
import { repayDeficit } from './shortfall.ts';

type Answer = OutputInput<typeof cancelTransfer>;

/**
 * Cancels a transfer of one's own that has not been handed to signing; its hold is given back at once.
 * @throws DomainError notFound, transferNotOwn, transferNotCancellable
 */
export async function cancel(
  database: Database,
  context: SignedInContext & { idempotencyKey: string },
  id: string,
): Promise<Answered<Answer>> {
  const { companyId, userId } = context.session;
  const request = { companyId, memberId: userId, key: context.idempotencyKey, call: 'cancelTransfer', request: { id } };
  return once(database, request, (tx) => cancelIn(tx, context, id));
}

async function cancelIn(tx: Tx, context: SignedInContext, id: string): Promise<Answer> {
  // The task before the transaction, everywhere; what is refused below rolls this back.
  await withdrawTask(tx, 'transfer', id, { end: 'withdrawn', reason: 'stage.reason.cancelled' });
  const transfer = await lockTransaction(tx, id);
  if (!transfer) throw new DomainError('notFound');
  if (transfer.type !== 'chain_withdraw') throw new DomainError('transferNotCancellable');
  if (transfer.initiatorId !== context.session.userId) throw new DomainError('transferNotOwn');
  const refundId = await release(tx, transfer, cancellableStages, {
    stage: 'cancelled',
    reason: 'stage.reason.cancelled',
    actor: { id: context.session.userId, name: context.session.userName },
  });
  if (refundId === null) throw new DomainError('transferNotCancellable');
  await repayDeficit(tx, transfer.walletId, refundId);
  await audit(tx, { actor: actorOf(context), action: 'transfers.cancel', subjectKind: 'transaction', subjectId: id });
  return { id, status: 'failed', stage: 'cancelled', refundId };
}
