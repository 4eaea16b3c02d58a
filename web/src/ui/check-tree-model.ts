/** A branch with others under it, or a leaf that can be ticked. */
export interface CheckNode {
  id: string;
  label: string;
  children?: readonly CheckNode[];
  /** Of a leaf: why its box cannot be changed. */
  locked?: string | undefined;
}

/** `mixed`: some of what is under a branch is ticked. */
export type CheckState = 'on' | 'off' | 'mixed';

export function leavesOf(node: CheckNode): readonly CheckNode[] {
  return node.children === undefined ? [node] : node.children.flatMap(leavesOf);
}

/** The state of a box: a leaf's own, a branch's by the leaves under it. */
export function stateOf(node: CheckNode, ticked: ReadonlySet<string>): CheckState {
  const leaves = leavesOf(node);
  const on = leaves.filter(({ id }) => ticked.has(id)).length;
  return on === 0 ? 'off' : on === leaves.length ? 'on' : 'mixed';
}

/** Whether a press on the box would change anything. */
export function isLocked(node: CheckNode): boolean {
  return leavesOf(node).every(({ locked }) => locked !== undefined);
}

/** What is ticked after a press: all leaves under it that may be changed, or none of them when all were ticked. */
export function toggled(node: CheckNode, ticked: ReadonlySet<string>): ReadonlySet<string> {
  const free = leavesOf(node).filter(({ locked }) => locked === undefined);
  const all = free.every(({ id }) => ticked.has(id));
  const next = new Set(ticked);
  for (const { id } of free) {
    if (all) next.delete(id);
    else next.add(id);
  }
  return next;
}
