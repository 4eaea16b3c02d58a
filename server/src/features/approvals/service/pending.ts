import type { OutputInput } from '@causeway/contract/call.ts';
import type { getControlMode, listPendingChanges } from '@causeway/contract/control.ts';
import { controllingPermissions } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findCompanySettings, findPeople, findRuleHold } from '../../organisation/index.ts';
import { readDecisions, readPendingChanges, type TaskRow } from '../store/tasks.ts';
import { viewingOfTasks } from './reading.ts';
import { modeOf } from './second-person.ts';
import { type SubjectsContext, subjectOf } from './subjects.ts';
import { asTask } from './view.ts';
import { maySeeControls } from './withdraw.ts';

/** What pages show of changes that have not taken effect, and what they say before one is made. */

export async function listPending(tx: Tx, context: SubjectsContext): Promise<OutputInput<typeof listPendingChanges>> {
  const { subjects } = context;
  const { userId, permissions } = context.session;
  const controlOf = (task: TaskRow) => subjectOf(subjects, task).control?.(task) ?? null;
  const concerns = (task: TaskRow) => task.initiatorId === userId || controlOf(task)?.subjectId === userId;
  const tasks = (await readPendingChanges(tx)).filter((task) => maySeeControls(permissions) || concerns(task));
  const decisions = await readDecisions(
    tx,
    tasks.map(({ id }) => id),
  );
  const viewing = await viewingOfTasks(tx, context, tasks);
  return {
    items: tasks.map((task) => {
      const shown = asTask(subjects, task, decisions, viewing);
      const { name, startedAt, effectiveAt, expiresAt, mayDecide, mayStop, mayWithdraw } = shown;
      return {
        taskId: task.id,
        name,
        control: controlOf(task),
        by: { id: task.initiatorId, name: task.initiatorName },
        at: startedAt,
        effectiveAt,
        expiresAt,
        mayDecide,
        mayStop,
        mayWithdraw,
      };
    }),
  };
}

/** What would happen to a change by the reader that widens, for each of their controlling permissions. */
export async function getMode(
  tx: Tx,
  { session, clock }: SignedInContext,
): Promise<OutputInput<typeof getControlMode>> {
  const now = clock.now();
  const { permissions } = session;
  // An onlooker reads what holds for an administrator.
  const administrator = session.isLook
    ? (await findPeople(tx)).find(
        (person) => person.status === 'active' && person.permissions.includes('member.manage'),
      )
    : null;
  const initiatorId = administrator?.id ?? session.userId;
  const modes: OutputInput<typeof getControlMode>['modes'] = [];
  for (const permission of controllingPermissions) {
    if (permission === 'approval.decide' || !permissions.includes(permission)) continue;
    const mode = await modeOf(tx, { initiatorId, permission, concerned: [] }, now);
    const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt.toISOString() : null;
    modes.push({ permission, mode: mode.kind, effectiveAt });
  }
  const { waitingHours } = await findCompanySettings(tx);
  const { until } = await findRuleHold(tx, now);
  return { modes, waitingHours, heldUntil: until?.toISOString() ?? null };
}
