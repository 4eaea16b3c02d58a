import type { Body } from '@causeway/contract/call.ts';
import type { adoptApproval, endApproval } from '@causeway/contract/control.ts';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { isAbandoned } from '../domain.ts';
import { adoptTask, findTask, lockTasks, readDecisions, type TaskRow } from '../store/tasks.ts';
import { chainOf } from './chain.ts';
import { endUnapproved } from './end-task.ts';
import { tellApprovers } from './notify.ts';
import { type PeopleById, peopleById } from './people.ts';
import { type ApprovalSubject, type SubjectsContext, subjectOf } from './subjects.ts';

/** What an administrator does with an application whose initiator is no longer active: until then no one can decide on it. */

/**
 * Takes responsibility for it: the adopter cannot approve it.
 * @throws DomainError notFound, approvalNotPending, approvalNotAbandoned, approvalAlreadyDecided (by the adopter)
 */
export async function adopt(tx: Tx, context: SubjectsContext, { id }: Body<typeof adoptApproval>): Promise<null> {
  const { session, locale } = context;
  const { task, subject, people } = await lockAbandoned(tx, context, id);
  const decisions = await readDecisions(tx, [id]);
  if (decisions.some(({ approverId, seatId }) => approverId === session.userId || seatId === session.userId)) {
    throw new DomainError('approvalAlreadyDecided', { task: subject.name(task, locale) });
  }
  await adoptTask(tx, id, { id: session.userId, name: session.userName });
  await auditOf(tx, context, subject, task, 'approvals.adopt', {});
  await announce(tx, [live('approval', id)]);
  const adopted = await findTask(tx, id);
  if (adopted) await tellApprovers(tx, subject, adopted, { people, decisions });
  return null;
}

/** Ends it: what it holds is given back. @throws DomainError notFound, approvalNotPending, approvalNotAbandoned */
export async function end(tx: Tx, context: SubjectsContext, { id, reason }: Body<typeof endApproval>): Promise<null> {
  const { session } = context;
  const { task, subject } = await lockAbandoned(tx, context, id);
  const by = { id: session.userId, name: session.userName };
  await endUnapproved(tx, context.subjects, task, { outcome: 'stopped', by, reason: reason.trim() });
  await auditOf(tx, context, subject, task, 'approvals.end', { reason: reason.trim() });
  return null;
}

async function lockAbandoned(
  tx: Tx,
  { locale, subjects }: SubjectsContext,
  id: string,
): Promise<{ task: TaskRow; subject: ApprovalSubject; people: PeopleById }> {
  const [task] = await lockTasks(tx, [id]);
  if (!task?.adoptable) throw new DomainError('notFound');
  const subject = subjectOf(subjects, task);
  const named = { task: subject.name(task, locale) };
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', named);
  const people = await peopleById(tx);
  if (!isAbandoned(chainOf(task), people)) throw new DomainError('approvalNotAbandoned', named);
  return { task, subject, people };
}

async function auditOf(
  tx: Tx,
  context: SignedInContext,
  { auditKind }: ApprovalSubject,
  task: TaskRow,
  action: AuditAction,
  more: Record<string, unknown>,
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: auditKind,
    subjectId: task.subjectId,
    detail: { taskId: task.id, initiator: task.initiatorName, ...more },
  });
}
