import { cancellableStages } from '@causeway/contract/transactions-lives.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import { subjectKindOf } from '../domain.ts';
import type { SubmittedKind } from '../kind.ts';
import { release } from './release.ts';

/** What a cancelled payment and its task say of it, as the id of a sentence. */
export const cancelledByInitiator = 'stage.reason.cancelled';

/**
 * Cancels a payment of one's own that has not been handed to its rail; its hold is given back at once.
 * @returns the refund's id
 * @throws DomainError notFound, and the kind's own refusals
 */
export async function cancelPayment(
  tx: Tx,
  context: SignedInContext,
  kind: SubmittedKind,
  id: string,
): Promise<string> {
  // The task before the transaction, everywhere; what is refused below rolls this back.
  await withdrawTask(tx, subjectKindOf(kind.type), id, { end: 'withdrawn', reason: cancelledByInitiator });
  return cancelWaiting(tx, context, kind, id);
}

/** The payment's part of a cancel, its task's row locked before. @returns and throws as `cancelPayment` */
export async function cancelWaiting(
  tx: Tx,
  context: SignedInContext,
  kind: SubmittedKind,
  id: string,
): Promise<string> {
  const payment = await lockTransaction(tx, id);
  if (!payment) throw new DomainError('notFound');
  if (payment.type !== kind.type) throw new DomainError(kind.refusals.notCancellable);
  if (payment.initiatorId !== context.session.userId) throw new DomainError(kind.refusals.notOwn);
  const refundId = await release(tx, payment, cancellableStages(payment.type), {
    stage: 'cancelled',
    reason: cancelledByInitiator,
    actor: { id: context.session.userId, name: context.session.userName },
  });
  if (refundId === null) throw new DomainError(kind.refusals.notCancellable);
  await audit(tx, {
    actor: actorOf(context),
    action: kind.actions.cancel,
    subjectKind: 'transaction',
    subjectId: id,
  });
  return refundId;
}
