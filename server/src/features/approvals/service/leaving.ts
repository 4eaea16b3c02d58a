import type { Tx } from '../../../platform/database.ts';
import type { OpenWorkPort } from '../../organisation/index.ts';
import { ableNow, canBePassed } from '../domain.ts';
import { readDecisions, readPendingTasks } from '../store/tasks.ts';
import { chainOf, type PeopleById, peopleById, progressOf } from './core.ts';
import { tellStuck } from './telling.ts';

/**
 * What a member leaves behind. Decisions that waited for them wait for the others; where nobody else can take them, those
 * concerned are told. What they initiated stays for its approvers, shown as by somebody who has left.
 */
export const openWork: OpenWorkPort = {
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

  async leaves(tx, userId) {
    const people = await peopleById(tx);
    const without = withoutOne(people, userId);
    for (const { task, progress } of await pendingWithProgress(tx)) {
      const chain = chainOf(task);
      if (canBePassed(chain, progress, people) && !canBePassed(chain, progress, without)) {
        await tellStuck(tx, task, without);
      }
    }
  },
};

async function pendingWithProgress(tx: Tx) {
  const tasks = await readPendingTasks(tx);
  const decisions = await readDecisions(
    tx,
    tasks.map(({ id }) => id),
  );
  return tasks.map((task) => ({ task, progress: progressOf(task, decisions) }));
}

/** As it will be: the member is still active in the tables while this is asked. */
function withoutOne(people: PeopleById, userId: string): PeopleById {
  return new Map(
    [...people].map(([id, person]) => [
      id,
      id === userId ? { ...person, status: 'disabled' as const, permissions: [] } : person,
    ]),
  );
}
