import type { ReactNode } from 'react';

/** A node of a tree to choose from. */
export interface TreeNode {
  id: string;
  label: string;
  /** At the right end of its line: a count. */
  aside?: ReactNode;
  children?: readonly TreeNode[];
}

/** A line of the tree. */
export interface TreeRow {
  node: TreeNode;
  /** From 1 at the top. */
  level: number;
  /** From 1 among its siblings. */
  place: number;
  siblings: number;
  branch: boolean;
  open: boolean;
}

/** The lines that are in sight while these branches are closed. */
export function rowsOf(nodes: readonly TreeNode[], closed: ReadonlySet<string>, level = 1): TreeRow[] {
  return nodes.flatMap((node, index) => {
    const { children = [] } = node;
    const branch = children.length > 0;
    const open = branch && !closed.has(node.id);
    const row: TreeRow = { node, level, place: index + 1, siblings: nodes.length, branch, open };
    return [row, ...(open ? rowsOf(children, closed, level + 1) : [])];
  });
}
