import type { withdrawChange } from '@causeway/contract/approvals.ts';
import type { Body } from '@causeway/contract/call.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { insertLog } from '../store/rules.ts';
import { lockTasks } from '../store/tasks.ts';
import { close } from './ending.ts';
import { taskName } from './naming.ts';

/**
 * Takes back a change of the rules that one proposed oneself. The task's lock is the one that a decision takes, so it ends in one
 * way alone.
 * @throws DomainError notFound (also of a transfer, which is cancelled instead), approvalNotOwn, approvalNotPending
 */
export async function withdraw(tx: Tx, context: SignedInContext, { id }: Body<typeof withdrawChange>): Promise<null> {
  const { session, locale } = context;
  const [task] = await lockTasks(tx, [id]);
  if (task?.kind !== 'rule_change') throw new DomainError('notFound');
  const { content } = task;
  invariant(content.kind === 'rule_change', 'a task about the rules has their change');
  const named = { task: taskName(task, locale) };
  if (task.initiatorId !== session.userId) throw new DomainError('approvalNotOwn', named);
  if (task.status !== 'pending') throw new DomainError('approvalNotPending', named);
  await close(tx, task, 'withdrawn', null);
  const { shown, ruleName } = content;
  const actor = { id: session.userId, name: session.userName };
  await insertLog(tx, { actor, action: 'changeEnded', detail: { shown, ruleName, outcome: 'withdrawn' }, taskId: id });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.withdraw',
    subjectKind: 'task',
    subjectId: id,
    detail: { name: ruleName, kind: content.change.kind },
  });
  await announce(tx, [live('control')]);
  return null;
}
