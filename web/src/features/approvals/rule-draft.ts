import type { Approver } from '@causeway/contract/review.ts';
import { newId } from '../../lib/new-id.ts';
import type { Checked } from '../../ui/form-state.ts';

/** A node of the chain while it is being written; `key` is for the page alone. */
export interface DraftNode {
  key: string;
  approvers: Approver[];
  /** As typed. */
  needed: string;
}

/** A rule while it is being written: figures as typed. */
export interface RuleDraft {
  name: string;
  lower: string;
  upper: string;
  unbounded: boolean;
  nodes: DraftNode[];
  active: boolean;
}

interface SavedRule {
  name: string;
  lower: string;
  upper: string | null;
  nodes: readonly { needed: number; approvers: readonly Approver[] }[];
  active: boolean;
}

export function newNode(): DraftNode {
  return { key: newId(), approvers: [], needed: '1' };
}

export function draftOf(rule: SavedRule | null): RuleDraft {
  if (rule === null) return { name: '', lower: '0', upper: '', unbounded: false, nodes: [newNode()], active: true };
  return {
    name: rule.name,
    lower: rule.lower,
    upper: rule.upper ?? '',
    unbounded: rule.upper === null,
    nodes: rule.nodes.map(({ needed, approvers }) => ({
      key: newId(),
      needed: String(needed),
      approvers: approvers.map(({ kind, id }) => ({ kind, id })),
    })),
    active: rule.active,
  };
}

/** The draft as the contract's rule checks it; what is no number stays one that no rule accepts. */
export function ruleOf({ name, lower, upper, unbounded, nodes, active }: RuleDraft) {
  return {
    name: name.trim(),
    lower: lower.trim(),
    upper: unbounded ? null : upper.trim(),
    nodes: nodes.map(({ approvers, needed }) => ({
      approvers,
      needed: /^\d{1,3}$/.test(needed.trim()) ? Number(needed) : 0,
    })),
    active,
  };
}

/** A part of the chain: a field of the node at `index`. */
export interface NodePart {
  index: number;
  field: 'approvers' | 'needed';
}

/** The first part of the chain that is wrong; null when the chain is right, or wrong as a whole. */
export function wrongPart(checked: Checked<unknown>): NodePart | null {
  if (checked.ok) return null;
  const path = checked.problems.find(({ path: [first] }) => first === 'nodes')?.path;
  const [, index, field] = path ?? [];
  if (typeof index !== 'number') return null;
  return { index, field: field === 'needed' ? 'needed' : 'approvers' };
}

/** Whether this approver stands in the chain already: each may be there once. */
export function isNamed(nodes: readonly DraftNode[], approver: Approver): boolean {
  return nodes.some((node) => node.approvers.some(({ kind, id }) => kind === approver.kind && id === approver.id));
}

/** The nodes with one moved to another place. */
export function moved(nodes: readonly DraftNode[], from: number, to: number): DraftNode[] {
  const next = [...nodes];
  const [node] = next.splice(from, 1);
  if (node) next.splice(to, 0, node);
  return next;
}
