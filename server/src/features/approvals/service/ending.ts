import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import type { Tx } from '../../../platform/database.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { endTask, type TaskRow } from '../store/tasks.ts';
import { type ApprovalSubjects, type SubjectEnd, subjectOf } from './core.ts';
import { tellInitiator } from './telling.ts';

const notices = {
  rejected: 'Rejected',
  expired: 'Expired',
  voided: 'Voided',
  stopped: 'Stopped',
} as const satisfies Record<SubjectEnd['outcome'], string>;

/** Ends a pending, locked task without approval: the subject learns it, and so does the initiator. */
export async function endUnapproved(tx: Tx, subjects: ApprovalSubjects, task: TaskRow, end: SubjectEnd): Promise<void> {
  await close(tx, task, end.outcome, end.reason, end.outcome === 'stopped' ? end.by?.name : undefined);
  await subjectOf(subjects, task.kind).ended(tx, task.subjectId, end);
  await tellInitiator(tx, task, notices[end.outcome], {
    reason: end.reason,
    ...(end.by ? { by: end.by.name } : {}),
  });
}

/** Ends a pending, locked task with the last approval: what was applied for happens now. */
export async function endApproved(tx: Tx, subjects: ApprovalSubjects, task: TaskRow): Promise<void> {
  await close(tx, task, 'approved', null);
  await subjectOf(subjects, task.kind).approved(tx, task.subjectId);
  await tellInitiator(tx, task, 'Approved');
}

/** Ends a pending, locked change whose waiting period is over: it is made now. */
export async function endApplied(tx: Tx, subjects: ApprovalSubjects, task: TaskRow): Promise<void> {
  await close(tx, task, 'applied', null);
  await subjectOf(subjects, task.kind).approved(tx, task.subjectId);
  await tellInitiator(tx, task, 'Applied');
}

export async function close(
  tx: Tx,
  task: TaskRow,
  end: ApprovalEnd,
  reason: string | null,
  byName?: string,
): Promise<void> {
  await endTask(tx, task.id, end, reason, byName ?? null);
  await announce(tx, [live('approval', task.id), ...(task.kind === 'transfer' ? [] : [live('control')])]);
}
