import type { withdrawChange } from '@causeway/contract/approvals.ts';
import type { Body } from '@causeway/contract/call.ts';
import type { stopChange } from '@causeway/contract/control.ts';
import { controllingPermissions } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { insertLog } from '../store/rules.ts';
import { lockTasks, type TaskRow } from '../store/tasks.ts';
import type { ApprovalSubjects } from './core.ts';
import { close, endUnapproved } from './ending.ts';
import { taskName } from './naming.ts';

/**
 * Ends a change of the controls that has not taken effect. The task's lock is the one that a decision and the loop that makes due
 * changes take, so it ends in one way alone.
 */

/**
 * Takes back a change that one proposed oneself.
 * @throws DomainError notFound (also of a transfer, which is cancelled instead), approvalNotOwn, approvalNotPending
 */
export async function withdraw(tx: Tx, context: SignedInContext, { id }: Body<typeof withdrawChange>): Promise<null> {
  const { session, locale } = context;
  const task = await lockChange(tx, id);
  const { content } = task;
  const named = { task: taskName(task, locale) };
  if (task.initiatorId !== session.userId) throw new DomainError('approvalNotOwn', named);
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', named);
  await close(tx, task, 'withdrawn', null);
  if (content.kind === 'rule_change') {
    const { shown, ruleName } = content;
    const actor = { id: session.userId, name: session.userName };
    const detail = { shown, ruleName, outcome: 'withdrawn' };
    await insertLog(tx, { actor, action: 'changeEnded', detail, taskId: id });
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.withdraw',
    subjectKind: 'task',
    subjectId: id,
    detail: detailOf(task),
  });
  await announce(tx, [live('control')]);
  return null;
}

/** Stops a change; for everybody who approves or administers. @throws DomainError noPermission, notFound, approvalNotPending */
export async function stop(
  tx: Tx,
  subjects: ApprovalSubjects,
  context: SignedInContext,
  { id, reason }: Body<typeof stopChange>,
): Promise<null> {
  const { session, locale } = context;
  if (!maySeeControls(session.permissions)) throw new DomainError('noPermission');
  const task = await lockChange(tx, id);
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', { task: taskName(task, locale) });
  const words = reason?.trim() || 'approvals.reason.stoppedByPerson';
  const by = { id: session.userId, name: session.userName };
  await endUnapproved(tx, subjects, task, { outcome: 'stopped', by, reason: words });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.stop',
    subjectKind: 'task',
    subjectId: id,
    detail: { ...detailOf(task), ...(reason?.trim() ? { reason: reason.trim() } : {}) },
  });
  return null;
}

/** Everybody who approves or administers. */
export function maySeeControls(permissions: readonly string[]): boolean {
  return controllingPermissions.some((permission) => permissions.includes(permission));
}

async function lockChange(tx: Tx, id: string): Promise<TaskRow> {
  const [task] = await lockTasks(tx, [id]);
  if (!task || task.kind === 'transfer') throw new DomainError('notFound');
  return task;
}

function detailOf({ content }: TaskRow): Record<string, unknown> {
  if (content.kind === 'rule_change') return { name: content.ruleName, kind: content.change.kind };
  if (content.kind === 'transfer') return {};
  const { subject } = content.shown;
  return { name: typeof subject === 'string' ? subject : '', change: content.change.kind };
}
