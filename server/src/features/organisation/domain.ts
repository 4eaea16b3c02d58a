import type { ErrorDetails, ErrorKey } from '@causeway/contract/errors.ts';
import { departmentMaxDepth } from '@causeway/contract/organisation-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** The rules of members, roles and departments; pure. */

/** What a role allows, or a person by their role. */
export interface Authority {
  permissions: readonly Permission[];
  /** Approves what is worth less, in US cents; null: unlimited. */
  quotaUsdCents: bigint | null;
}

/**
 * Whether `other` holds anything that `own` does not : no member grants, or takes from another, more than they have
 * themselves. An approval amount counts only with the permission to decide.
 */
export function exceeds(own: Authority, other: Authority): boolean {
  if (other.permissions.some((permission) => !own.permissions.includes(permission))) return true;
  if (!other.permissions.includes('approval.decide') || own.quotaUsdCents === null) return false;
  return other.quotaUsdCents === null || other.quotaUsdCents > own.quotaUsdCents;
}

/** A refusal that a form shows at one of its fields. */
export function refusedAt(field: string, key: ErrorKey, details: ErrorDetails = {}): DomainError {
  return new DomainError(key, details, { [field]: `error.${key}` });
}

/** Normalises a typed name: one composition of each character, single spaces. */
export function tidyName(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

export interface TreeNode {
  id: string;
  parentId: string | null;
  position: number;
}

/** How deep a department lies: 1 at the top, 0 for "no department". The tree has no cycles. */
function depthOf(tree: readonly TreeNode[], id: string | null): number {
  let depth = 0;
  for (let at = id; at !== null; at = tree.find((node) => node.id === at)?.parentId ?? null) depth += 1;
  return depth;
}

/** A department and all that is under it, parents before children, siblings by position. */
export function subtree<T extends TreeNode>(tree: readonly T[], id: string | null): T[] {
  const children = tree.filter((node) => node.parentId === id).sort((a, b) => a.position - b.position);
  const under = children.flatMap((child) => subtree(tree, child.id));
  const self = tree.filter((node) => node.id === id);
  return [...self, ...under];
}

/**
 * Whether a department may be moved under `parentId` with its whole subtree. `id` null: a new one.
 * @throws DomainError departmentNotFound (no such parent), departmentCycle, departmentTooDeep
 */
export function checkPlace(tree: readonly TreeNode[], id: string | null, parentId: string | null): void {
  if (parentId !== null && !tree.some((node) => node.id === parentId)) {
    throw refusedAt('parentId', 'departmentNotFound');
  }
  const moved = id === null ? [] : subtree(tree, id);
  if (moved.some((node) => node.id === parentId)) throw refusedAt('parentId', 'departmentCycle');
  const levels = id === null ? 1 : Math.max(...moved.map((node) => depthOf(tree, node.id))) - depthOf(tree, id) + 1;
  if (depthOf(tree, parentId) + levels > departmentMaxDepth) {
    throw refusedAt('parentId', 'departmentTooDeep', { depth: departmentMaxDepth });
  }
}

/**
 * The ids of a parent's children in their new order, with `id` among them at `position` (past the end: last; undefined: where it
 * is, or last if it comes from elsewhere).
 */
export function ordered(
  tree: readonly TreeNode[],
  parentId: string | null,
  id: string,
  position: number | undefined,
): string[] {
  const siblings = tree.filter((node) => node.parentId === parentId).sort((a, b) => a.position - b.position);
  const ids = siblings.map((node) => node.id);
  const present = ids.indexOf(id);
  const others = ids.filter((sibling) => sibling !== id);
  const at = position ?? (present === -1 ? others.length : present);
  return others.toSpliced(Math.min(at, others.length), 0, id);
}

/** How long a member whose right to change approval rules was taken away still counts as a second person: seven days. */
export const ruleHoldMs = 7 * 24 * 3_600_000;

/** What still follows from one member having taken another's right to change approval rules (ADR 0037). */
export interface RuleHold {
  /** When the last of them no longer counts; null when none counts in this way. */
  until: Date | null;
  taken: ReadonlySet<string>;
  /** Who came to the right after the first of these removals: they cannot replace the member from whom it was taken. */
  newcomers: ReadonlySet<string>;
}

/** The hold at a moment, of all removals and grants that are known. */
export function ruleHold(
  rows: readonly { memberId: string; since: Date | null; takenAt: Date | null }[],
  now: Date,
): RuleHold {
  const times = new Map<string, number>();
  for (const { memberId, takenAt } of rows) {
    if (takenAt && now.getTime() < takenAt.getTime() + ruleHoldMs) times.set(memberId, takenAt.getTime());
  }
  const first = Math.min(...times.values());
  const newcomers = rows.filter(({ since, takenAt }) => takenAt === null && since && since.getTime() >= first);
  return {
    until: times.size === 0 ? null : new Date(Math.max(...times.values()) + ruleHoldMs),
    taken: new Set(times.keys()),
    newcomers: new Set(newcomers.map(({ memberId }) => memberId)),
  };
}

/** What a change changed: the fields that differ, before and after; for the audit trail. */
export function difference<T extends object>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const changed = (Object.keys(after) as (keyof T)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (from: T) => Object.fromEntries(changed.map((key) => [key, from[key]])) as Partial<T>;
  return { before: pick(before), after: pick(after) };
}
