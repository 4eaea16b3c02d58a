import type { Tx } from '../../../platform/database/database.ts';
import { findAsActive, type InRole, type OpenWorkPort } from '../../organisation/index.ts';
import { ableNow, canBePassed } from '../domain.ts';
import { readDecisions, readPendingTasks } from '../store/tasks.ts';
import { chainOf, progressOf } from './chain.ts';
import { tellAbandoned, tellStuck } from './notify.ts';
import { type PeopleById, peopleById } from './people.ts';
import { type ApprovalSubjects, subjectOf } from './subjects.ts';

/**
 * What a member leaves behind, also in another role. Decisions that waited for them wait for the others; where no one is able to
 * take them any more, those concerned are notified. What they initiated waits, if its subject can be adopted, until an administrator
 * adopts it or ends it.
 */
export const createOpenWork = (subjects: ApprovalSubjects): OpenWorkPort => ({
  async describe(tx, userId) {
    const people = await peopleById(tx);
    const pending = await pendingWithProgress(tx);
    const decisions = pending.filter(({ task, progress }) =>
      ableNow(chainOf(task), progress, people).some(({ actor }) => actor.id === userId),
    );
    return {
      pendingDecisions: decisions.length,
      pendingOwn: pending.filter(({ task }) => task.initiatorId === userId).length,
    };
  },

  async leaves(tx, userId, becoming) {
    const people = await peopleById(tx);
    const then = afterwards(people, userId, becoming);
    await tellOfLoss(tx, subjects, userId, { before: people, after: then, isGone: becoming === null });
  },
});

/**
 * The same as `leaves`, of a member who could act until the operator froze them: asked once they are frozen, in the transaction that
 * informs the company. Nothing where they are free again already.
 */
export async function tellOfFrozenMember(tx: Tx, subjects: ApprovalSubjects, userId: string): Promise<void> {
  const [people, active] = [await peopleById(tx), await findAsActive(tx, userId)];
  if (active === null || people.get(userId)?.status === 'active') return;
  const before = new Map([...people, [userId, active]]);
  await tellOfLoss(tx, subjects, userId, { before, after: people, isGone: true });
}

async function tellOfLoss(
  tx: Tx,
  subjects: ApprovalSubjects,
  userId: string,
  { before, after, isGone }: { before: PeopleById; after: PeopleById; isGone: boolean },
): Promise<void> {
  for (const { task, progress } of await pendingWithProgress(tx)) {
    const chain = chainOf(task);
    if (task.initiatorId === userId && isGone) {
      if (task.adoptable) await tellAbandoned(tx, subjectOf(subjects, task), task, after);
      continue;
    }
    if (canBePassed(chain, progress, before) && !canBePassed(chain, progress, after)) {
      await tellStuck(tx, subjectOf(subjects, task), task, after);
    }
  }
}

async function pendingWithProgress(tx: Tx) {
  const tasks = await readPendingTasks(tx);
  const decisions = await readDecisions(
    tx,
    tasks.map(({ id }) => id),
  );
  return tasks.map((task) => ({ task, progress: progressOf(task, decisions) }));
}

/** As it will be: the tables still have the member as before while this is asked. */
function afterwards(people: PeopleById, userId: string, becoming: InRole | null): PeopleById {
  const change = becoming ?? { status: 'disabled' as const, permissions: [] };
  return new Map([...people].map(([id, person]) => [id, id === userId ? { ...person, ...change } : person]));
}
