import type { Chain, Progress } from '../domain.ts';
import type { DecisionRow, TaskRow } from '../store/tasks.ts';

/** What the rules of `domain.ts` look at of a task. */

export function chainOf(task: TaskRow): Chain {
  const { initiatorId, nodes, valueCents, forbidsGrantees, reviewedSince, adoptable, startedAt: at } = task;
  const begun = { at, adoptable, adopterId: task.adoptedBy };
  return { initiatorId, nodes, valueCents, begun, forbidsGrantees, reviewedSince, now: task.readAt };
}

export function progressOf(task: TaskRow, decisions: readonly DecisionRow[]): Progress {
  const own = decisions.filter(({ taskId }) => taskId === task.id);
  return { pending: task.status === 'pending', node: task.node, decisions: own };
}
