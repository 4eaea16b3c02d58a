import type { ReactNode } from 'react';

/** A node of a tree to choose from. */
export interface TreeNode {
  id: string;
  label: string;
  /** At the right end of its line: a count. */
  aside?: ReactNode;
  children?: readonly TreeNode[];
}

/** Where a node stands: under whom (null: at the top), and its place among its siblings, from 0. */
export interface TreePlace {
  parentId: string | null;
  position: number;
}

/** Over which part of a line something is dragged. */
export type DropZone = 'before' | 'inside' | 'after';

export type MoveStep = 'up' | 'down' | 'in' | 'out';

/** A line of the tree as it stands on screen. */
export interface TreeRow {
  node: TreeNode;
  parentId: string | null;
  /** From 1 at the top. */
  level: number;
  /** From 1 among its siblings. */
  place: number;
  siblings: number;
  branch: boolean;
  open: boolean;
}

/** The lines that are in sight while these branches are open. */
export function rowsOf(
  nodes: readonly TreeNode[],
  openIds: ReadonlySet<string>,
  parentId: string | null = null,
  level = 1,
): TreeRow[] {
  return nodes.flatMap((node, index) => {
    const branch = (node.children?.length ?? 0) > 0;
    const open = branch && openIds.has(node.id);
    const row: TreeRow = { node, parentId, level, place: index + 1, siblings: nodes.length, branch, open };
    return [row, ...(open ? rowsOf(node.children ?? [], openIds, node.id, level + 1) : [])];
  });
}

export function nodeOf(nodes: readonly TreeNode[], id: string): TreeNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : nodeOf(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function placeOf(nodes: readonly TreeNode[], id: string, parentId: string | null = null): TreePlace | undefined {
  for (const [position, node] of nodes.entries()) {
    const found = node.id === id ? { parentId, position } : placeOf(node.children ?? [], id, node.id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tree with a node at another place; `position` counts the siblings there without the node itself. */
export function withMoved(nodes: readonly TreeNode[], id: string, to: TreePlace): readonly TreeNode[] {
  const node = nodeOf(nodes, id);
  return node === undefined ? nodes : inserted(without(nodes, id), node, to, null);
}

/**
 * Where a step of the keyboard leads: up and down among the siblings, in under the sibling above as its last, out behind
 * the parent. Undefined where it leads nowhere, or deeper than `maxDepth` levels.
 */
export function stepped(
  nodes: readonly TreeNode[],
  id: string,
  step: MoveStep,
  maxDepth: number,
): TreePlace | undefined {
  const here = placeOf(nodes, id);
  if (here === undefined) return undefined;
  const { parentId, position } = here;
  const siblings = (parentId === null ? nodes : nodeOf(nodes, parentId)?.children) ?? [];
  switch (step) {
    case 'up':
      return position === 0 ? undefined : { parentId, position: position - 1 };
    case 'down':
      return position === siblings.length - 1 ? undefined : { parentId, position: position + 1 };
    case 'in': {
      const above = siblings[position - 1];
      const to = above && { parentId: above.id, position: above.children?.length ?? 0 };
      return to && fits(nodes, id, to, maxDepth) ? to : undefined;
    }
    case 'out': {
      const parent = parentId === null ? undefined : placeOf(nodes, parentId);
      return parent && { parentId: parent.parentId, position: parent.position + 1 };
    }
  }
}

/** Where a drop leads; undefined on itself, on what is under it, where it stands already, and too deep. */
export function dropped(
  nodes: readonly TreeNode[],
  id: string,
  over: string,
  zone: DropZone,
  maxDepth: number,
): TreePlace | undefined {
  const node = nodeOf(nodes, id);
  if (node === undefined || nodeOf([node], over) !== undefined) return undefined;
  const rest = without(nodes, id);
  const target = placeOf(rest, over);
  if (target === undefined) return undefined;
  const inside = nodeOf(rest, over)?.children?.length ?? 0;
  const to =
    zone === 'inside'
      ? { parentId: over, position: inside }
      : { parentId: target.parentId, position: target.position + (zone === 'after' ? 1 : 0) };
  return samePlace(placeOf(nodes, id), to) || !fits(nodes, id, to, maxDepth) ? undefined : to;
}

export function samePlace(one: TreePlace | undefined, other: TreePlace | undefined): boolean {
  return one?.parentId === other?.parentId && one?.position === other?.position;
}

/** How many levels there are from the top down to a node, itself included; 0 for the top itself. */
function depthOf(nodes: readonly TreeNode[], id: string | null): number {
  if (id === null) return 0;
  const place = placeOf(nodes, id);
  return place === undefined ? 0 : 1 + depthOf(nodes, place.parentId);
}

function heightOf(node: TreeNode): number {
  return 1 + Math.max(0, ...(node.children ?? []).map(heightOf));
}

function fits(nodes: readonly TreeNode[], id: string, to: TreePlace, maxDepth: number): boolean {
  const node = nodeOf(nodes, id);
  return node !== undefined && depthOf(nodes, to.parentId) + heightOf(node) <= maxDepth;
}

function without(nodes: readonly TreeNode[], id: string): readonly TreeNode[] {
  return nodes
    .filter((node) => node.id !== id)
    .map((node) => (node.children === undefined ? node : { ...node, children: without(node.children, id) }));
}

function inserted(
  nodes: readonly TreeNode[],
  node: TreeNode,
  to: TreePlace,
  parentId: string | null,
): readonly TreeNode[] {
  if (to.parentId === parentId) return nodes.toSpliced(to.position, 0, node);
  return nodes.map((other) => ({ ...other, children: inserted(other.children ?? [], node, to, other.id) }));
}
