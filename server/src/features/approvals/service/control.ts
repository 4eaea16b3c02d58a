import { audit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { type ControlOperation, checkProposed, digestNow, findPeople, makeProposed } from '../../organisation/index.ts';
import { type ControlChangeContent, findTask, readDecisions, type TaskRow } from '../store/tasks.ts';
import type { ApprovalSubject, Controls } from './core.ts';
import { refuseNewcomers } from './second-person.ts';

/** A change of the controls as something that is consented to, or takes effect after a time. */
export const controlSubject = (controls: Controls, clock: Clock): ApprovalSubject => ({
  async digest(tx, id) {
    const { task, change } = await proposal(tx, id);
    return (await digestNow(tx, operationOf(controls, change))) === change.base ? task.digest : null;
  },
  async evidence() {
    return null;
  },
  recheck: (tx, id) => recheck(tx, controls, id),
  async approved(tx, id) {
    const { task, change } = await proposal(tx, id);
    const agreed = (await readDecisions(tx, [id])).map(({ approverId }) => approverId);
    await refuseNewcomers(tx, change.permission, [task.initiatorId, ...agreed], clock.now());
    const context = await proposerOf(tx, task);
    invariant(context, 'the proposer was found active a moment before');
    await makeProposed(tx, context, operationOf(controls, change));
    await audit(tx, {
      actor: { kind: 'user', id: task.initiatorId },
      action: 'approvals.takeEffect',
      subjectKind: 'task',
      subjectId: id,
      detail: { change: change.kind, consent: agreed.length > 0 },
    });
  },
  async ended() {
    // The task says how it ended; nothing else was changed.
  },
});

/** A proposal is made only if its proposer could still propose it, against the same state. */
async function recheck(tx: Tx, controls: Controls, id: string): Promise<{ reason: string } | null> {
  const { task, change } = await proposal(tx, id);
  const context = await proposerOf(tx, task);
  if (!context?.session.permissions.includes(change.permission)) return { reason: 'approvals.reason.proposerLeft' };
  const found = await checkProposed(tx, context, operationOf(controls, change), change.base);
  if (found === 'same') return null;
  return { reason: found === 'changed' ? 'approvals.reason.changed' : 'approvals.reason.notPossible' };
}

function operationOf(controls: Controls, { kind, input }: ControlChangeContent['change']): ControlOperation<object> {
  const make = controls[kind];
  invariant(make, `changes of kind ${kind} can be made in this process`);
  return make(input);
}

/** The proposer as they are now: the change is made in their name. Null when they are no longer active. */
async function proposerOf(tx: Tx, task: TaskRow): Promise<SignedInContext | null> {
  const [person] = await findPeople(tx, [task.initiatorId]);
  if (person?.status !== 'active') return null;
  const { id: userId, permissions } = person;
  const companyId = task.companyId;
  const session = { id: task.id, companyId, userId, userName: task.initiatorName, permissions };
  return { session, locale: 'en-us', ip: '', userAgent: '', requestId: task.id };
}

async function proposal(tx: Tx, id: string) {
  const task = await findTask(tx, id);
  invariant(task?.content.kind === 'control_change', `task ${id} is a change of the controls`);
  return { task, change: task.content.change };
}
