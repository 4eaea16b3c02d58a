import { audit } from '../../../platform/audit/record.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import type { Log } from '../../../platform/process/log.ts';
import { readSettings } from '../store/rules.ts';
import { type DueTask, findDue, lockTasks, setReminder, type TaskRow } from '../store/tasks.ts';
import { endUnapproved } from './end-task.ts';
import { tellApprovers } from './notify.ts';
import { type ApprovalSubjects, subjectOf } from './subjects.ts';

/** Ends tasks that were not decided in time, and reminds approvers of those that wait. */

const hourMs = 3_600_000;

export interface TendingApprovals {
  database: Database;
  subjects: ApprovalSubjects;
  log: Log;
  clock?: Clock;
  /** How many tasks are asked for at a time. */
  batch?: number;
}

/**
 * One round over all tasks whose time has come; doing it twice, or by two workers at once, is harmless. It goes from place to
 * place and never back, so those that fail, however many, keep no others from their turn; they are tried again in the next round.
 */
export async function tendApprovals(tending: TendingApprovals, signal?: AbortSignal): Promise<void> {
  const { database, subjects, log, clock = systemClock, batch = 200 } = tending;
  const now = clock.now();
  const dueAfter = (after: DueTask | null) => database.withoutCompany((tx) => findDue(tx, now, after, batch));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1) ?? null)) {
    for (const { companyId, id } of due) {
      if (signal?.aborted) return;
      await database
        .withCompany(companyId, (tx) => tendTask(tx, subjects, id, now))
        .catch((error: unknown) =>
          log.warn({ err: error, companyId, task: id }, 'an approval task could not be tended'),
        );
    }
  }
}

async function tendTask(tx: Tx, subjects: ApprovalSubjects, id: string, now: Date): Promise<void> {
  const [task] = await lockTasks(tx, [id]);
  if (task?.status !== 'pending') return;
  if (task.expiresAt <= now) {
    await expire(tx, subjects, task);
  } else if (task.remindAt <= now) {
    const { reminderHours } = await readSettings(tx);
    await setReminder(tx, id, new Date(now.getTime() + reminderHours * hourMs));
    await tellApprovers(tx, subjectOf(subjects, task), task, { again: true });
  }
}

async function expire(tx: Tx, subjects: ApprovalSubjects, task: TaskRow): Promise<void> {
  await endUnapproved(tx, subjects, task, { outcome: 'expired', by: null, reason: 'approvals.reason.expired' });
  await audit(tx, {
    actor: { kind: 'system', id: 'approvals' },
    action: 'approvals.expire',
    subjectKind: subjectOf(subjects, task).auditKind,
    subjectId: task.subjectId,
    detail: { taskId: task.id, expiresAt: task.expiresAt.toISOString() },
  });
}

/** Expires and reminds once a minute. */
export function expireAndRemindJob(subjects: ApprovalSubjects): CronJob {
  return {
    name: 'approvals.expireAndRemind',
    schedule: '* * * * *',
    run: ({ database, log, signal }) => tendApprovals({ database, subjects, log }, signal),
  };
}
