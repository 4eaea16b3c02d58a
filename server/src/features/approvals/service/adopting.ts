import type { Body } from '@causeway/contract/call.ts';
import type { adoptApproval, endApproval } from '@causeway/contract/control.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { isAbandoned } from '../domain.ts';
import { adoptTask, findTask, lockTasks, readDecisions, type TaskRow } from '../store/tasks.ts';
import { type ApprovalSubjects, chainOf, type PeopleById, peopleById } from './core.ts';
import { endUnapproved } from './ending.ts';
import { taskName } from './naming.ts';
import { tellApprovers } from './telling.ts';

/** A transfer whose initiator is no longer active cannot be decided on until an administrator answers for it. */

/**
 * Takes responsibility for it: the adopter cannot approve it.
 * @throws DomainError notFound, approvalNotPending, approvalNotAbandoned, approvalAlreadyDecided (by the adopter)
 */
export async function adopt(tx: Tx, context: SignedInContext, { id }: Body<typeof adoptApproval>): Promise<null> {
  const { session, locale } = context;
  const { task, people } = await lockAbandoned(tx, context, id);
  const decisions = await readDecisions(tx, [id]);
  if (decisions.some(({ approverId, seatId }) => approverId === session.userId || seatId === session.userId)) {
    throw new DomainError('approvalAlreadyDecided', { task: taskName(task, locale) });
  }
  await adoptTask(tx, id, { id: session.userId, name: session.userName });
  await auditOf(tx, context, task, 'approvals.adopt', {});
  await announce(tx, [live('approval', id)]);
  const adopted = await findTask(tx, id);
  if (adopted) await tellApprovers(tx, adopted, { people, decisions });
  return null;
}

/** Ends it: its hold is given back. @throws DomainError notFound, approvalNotPending, approvalNotAbandoned */
export async function end(
  tx: Tx,
  subjects: ApprovalSubjects,
  context: SignedInContext,
  { id, reason }: Body<typeof endApproval>,
): Promise<null> {
  const { session } = context;
  const { task } = await lockAbandoned(tx, context, id);
  const by = { id: session.userId, name: session.userName };
  await endUnapproved(tx, subjects, task, { outcome: 'stopped', by, reason: reason.trim() });
  await auditOf(tx, context, task, 'approvals.end', { reason: reason.trim() });
  return null;
}

async function lockAbandoned(
  tx: Tx,
  { locale }: SignedInContext,
  id: string,
): Promise<{ task: TaskRow; people: PeopleById }> {
  const [task] = await lockTasks(tx, [id]);
  if (task?.kind !== 'transfer') throw new DomainError('notFound');
  const named = { task: taskName(task, locale) };
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', named);
  const people = await peopleById(tx);
  if (!isAbandoned(chainOf(task), people)) throw new DomainError('approvalNotAbandoned', named);
  return { task, people };
}

async function auditOf(
  tx: Tx,
  context: SignedInContext,
  task: TaskRow,
  action: string,
  more: Record<string, unknown>,
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'transaction',
    subjectId: task.subjectId,
    detail: { taskId: task.id, initiator: task.initiatorName, ...more },
  });
}
