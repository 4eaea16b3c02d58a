import type { ApprovalKind } from '@causeway/contract/approvals-rules.ts';
import type { Tx } from '../../../platform/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findTaskOf, readDecisions } from '../store/tasks.ts';
import { viewingOfTasks } from './reading.ts';
import { asTask } from './view.ts';

/** The task of what was submitted: for whom it waits, or why it ended, in the reader's words; null when there never was one. */
export async function approvalOf(
  tx: Tx,
  kind: ApprovalKind,
  subjectId: string,
  context: Pick<SignedInContext, 'session' | 'locale'>,
): Promise<{ taskId: string; waitingFor: string | null; reason: string | null } | null> {
  const task = await findTaskOf(tx, kind, subjectId);
  if (!task) return null;
  const { waitingFor, reason } = asTask(
    task,
    await readDecisions(tx, [task.id]),
    await viewingOfTasks(tx, context, [task]),
  );
  return { taskId: task.id, waitingFor, reason };
}
