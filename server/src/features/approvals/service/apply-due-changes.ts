import { audit } from '../../../platform/audit/record.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { findRuleHold, lockOrganisation } from '../../organisation/index.ts';
import { lockSettings } from '../store/rules.ts';
import { type DueTask, findChangesDue, lockTasks, postponeTask, type TaskRow } from '../store/tasks.ts';
import { endApplied, endUnapproved } from './end-task.ts';
import { type ApprovalSubjects, subjectOf } from './subjects.ts';

/**
 * Makes changes whose waiting period is over. It runs in the HTTP process: the worker's role may not write members, lists or rules.
 * Any number of processes may run it at once; the lock of the task's row lets exactly one end it, or the person who stops it.
 */

const intervalMs = 15_000;

export interface Applying {
  database: Database;
  subjects: ApprovalSubjects;
  log: Log;
  clock?: Clock;
  /** How many changes are asked for at a time. */
  batch?: number;
}

/** One round over all changes that are due; one that fails is tried again in the next round and keeps no others from their turn. */
export async function applyDueChanges(applying: Applying, signal?: AbortSignal): Promise<void> {
  const { database, subjects, log, clock = systemClock, batch = 100 } = applying;
  const now = clock.now();
  const dueAfter = (after: DueTask | null) => database.withoutCompany((tx) => findChangesDue(tx, now, after, batch));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1) ?? null)) {
    for (const { companyId, id } of due) {
      if (signal?.aborted) return;
      await database
        .withCompany(companyId, (tx) => applyTask(tx, subjects, id, now))
        .catch((error: unknown) =>
          log.warn({ err: error, companyId, task: id }, 'a change could not be made when due'),
        );
    }
  }
}

async function applyTask(tx: Tx, subjects: ApprovalSubjects, id: string, now: Date): Promise<void> {
  // In the order in which a decision takes them.
  await lockOrganisation(tx);
  await lockSettings(tx);
  const [task] = await lockTasks(tx, [id]);
  if (task?.status !== 'pending' || task.effectiveAt === null || task.effectiveAt > now) return;
  const hold = await holdOf(tx, task, now);
  if (hold) {
    // A person who could have consented was taken away while it waited: it waits until they no longer count.
    await postponeTask(tx, id, hold);
    return;
  }
  const subject = subjectOf(subjects, task);
  if ((await subject.digest(tx, id)) !== task.digest) {
    await endUnapproved(tx, subjects, task, { outcome: 'voided', by: null, reason: 'approvals.reason.changed' });
    return;
  }
  const stop = await subject.recheck(tx, id);
  if (stop) {
    await endUnapproved(tx, subjects, task, { outcome: 'stopped', by: null, reason: stop.reason });
    return;
  }
  await endApplied(tx, subjects, task);
  await audit(tx, {
    actor: { kind: 'system', id: 'approvals' },
    action: 'approvals.apply',
    subjectKind: 'task',
    subjectId: id,
    detail: { effectiveAt: task.effectiveAt.toISOString() },
  });
}

async function holdOf(tx: Tx, task: TaskRow, now: Date): Promise<Date | null> {
  const node = task.nodes[0];
  invariant(node?.holders, 'a change of the controls waits for the holders of a permission');
  return (await findRuleHold(tx, now, node.holders, node.except ?? [])).until;
}

export function startApplyingChanges(applying: Applying): Loop {
  return startLoop({
    name: 'approvals.applyDueChanges',
    everyMs: intervalMs,
    log: applying.log,
    step: (signal) => applyDueChanges(applying, signal),
  });
}
