import type { withdrawApproval } from '@causeway/contract/approvals.ts';
import type { Body } from '@causeway/contract/call.ts';
import type { stopChange } from '@causeway/contract/control.ts';
import { controllingPermissions } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import { lockTasks } from '../store/tasks.ts';
import { close, endUnapproved } from './end-task.ts';
import { taskName } from './names.ts';
import { type SubjectsContext, subjectOf } from './subjects.ts';

/**
 * Ends a pending task by a person's wish. The task's lock is the one that a decision and the loop that makes due changes take, so it
 * ends in one way alone.
 */

/**
 * Takes back one's own application: its subject ends with it.
 * @throws DomainError notFound, approvalNotOwn, approvalNotPending, noPermission
 */
export async function withdraw(tx: Tx, context: SubjectsContext, { id }: Body<typeof withdrawApproval>): Promise<null> {
  const { session, locale, subjects } = context;
  const [task] = await lockTasks(tx, [id]);
  if (!task) throw new DomainError('notFound');
  const subject = subjectOf(subjects, task);
  const named = { task: subject.name(task, locale) };
  if (task.initiatorId !== session.userId) throw new DomainError('approvalNotOwn', named);
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', named);
  const { initiation } = subject;
  if (initiation !== 'signed-in' && !session.permissions.includes(initiation)) throw new DomainError('noPermission');
  await close(tx, task, 'withdrawn', await subject.withdrawn(tx, context, task));
  return null;
}

/**
 * Stops a change of the controls that has not taken effect; for everyone who approves or administers.
 * @throws DomainError noPermission, notFound (also of what changes no control), approvalNotPending
 */
export async function stop(tx: Tx, context: SubjectsContext, { id, reason }: Body<typeof stopChange>): Promise<null> {
  const { session, locale, subjects } = context;
  if (!maySeeControls(session.permissions)) throw new DomainError('noPermission');
  const [task] = await lockTasks(tx, [id]);
  if (!task?.changesControls) throw new DomainError('notFound');
  if (task.status !== 'pending')
    throw new DomainError('approvalNotPending', { task: taskName(subjects, task, locale) });
  const words = reason?.trim() || 'approvals.reason.stoppedByPerson';
  const by = { id: session.userId, name: session.userName };
  await endUnapproved(tx, subjects, task, { outcome: 'stopped', by, reason: words });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.stop',
    subjectKind: 'task',
    subjectId: id,
    detail: { ...subjectOf(subjects, task).auditDetail(task), ...(reason?.trim() ? { reason: reason.trim() } : {}) },
  });
  return null;
}

/** Everyone who approves or administers. */
export function maySeeControls(permissions: readonly string[]): boolean {
  return controllingPermissions.some((permission) => permissions.includes(permission));
}
