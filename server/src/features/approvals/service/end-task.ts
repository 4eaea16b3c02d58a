import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { endTask, type TaskRow } from '../store/tasks.ts';
import { tellInitiator, topicsOf } from './notify.ts';
import { type ApprovalSubjects, type SubjectEnd, subjectOf } from './subjects.ts';

const notices = {
  rejected: 'Rejected',
  expired: 'Expired',
  voided: 'Voided',
  stopped: 'Stopped',
} as const satisfies Record<SubjectEnd['outcome'], string>;

/** Ends a pending, locked task without approval: its subject ends, and the initiator is notified. */
export async function endUnapproved(tx: Tx, subjects: ApprovalSubjects, task: TaskRow, end: SubjectEnd): Promise<void> {
  const subject = subjectOf(subjects, task);
  await close(tx, task, end.outcome, end.reason, end.outcome === 'stopped' ? end.by?.name : undefined);
  await subject.ended(tx, task.subjectId, end);
  await tellInitiator(tx, subject, task, notices[end.outcome], {
    reason: end.reason,
    ...(end.by ? { by: end.by.name } : {}),
  });
}

/** Ends a pending, locked task with the last approval: what was applied for happens now. */
export async function endApproved(tx: Tx, subjects: ApprovalSubjects, task: TaskRow): Promise<void> {
  const subject = subjectOf(subjects, task);
  await close(tx, task, 'approved', null);
  await subject.approved(tx, task.subjectId);
  await tellInitiator(tx, subject, task, 'Approved');
}

/** Ends a pending, locked change whose waiting period is over: it is made now. */
export async function endApplied(tx: Tx, subjects: ApprovalSubjects, task: TaskRow): Promise<void> {
  const subject = subjectOf(subjects, task);
  await close(tx, task, 'applied', null);
  await subject.approved(tx, task.subjectId);
  await tellInitiator(tx, subject, task, 'Applied');
}

export async function close(
  tx: Tx,
  task: TaskRow,
  end: ApprovalEnd,
  reason: string | null,
  byName?: string,
): Promise<void> {
  await endTask(tx, task.id, end, reason, byName ?? null);
  await announce(tx, topicsOf(task, task));
}
