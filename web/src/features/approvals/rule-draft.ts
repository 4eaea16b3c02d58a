import type { Approver, RuleSubmitter } from '@causeway/contract/review.ts';

/** A node of the chain while it is being written. */
export interface DraftNode {
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
  /** Empty: everybody. */
  submittedBy: RuleSubmitter[];
  nodes: DraftNode[];
  active: boolean;
}

interface SavedRule {
  name: string;
  lower: string;
  upper: string | null;
  submittedBy: readonly RuleSubmitter[] | null;
  nodes: readonly { needed: number; approvers: readonly Approver[] }[];
  active: boolean;
}

export function newNode(): DraftNode {
  return { approvers: [], needed: '1' };
}

export function draftOf(rule: SavedRule | null): RuleDraft {
  if (rule === null) {
    const scope = { lower: '0', upper: '', unbounded: false, submittedBy: [] };
    return { name: '', ...scope, nodes: [newNode()], active: true };
  }
  return {
    name: rule.name,
    lower: rule.lower,
    upper: rule.upper ?? '',
    unbounded: rule.upper === null,
    submittedBy: (rule.submittedBy ?? []).map(({ kind, id }) => ({ kind, id })),
    nodes: rule.nodes.map(({ needed, approvers }) => ({
      needed: String(needed),
      approvers: approvers.map(({ kind, id }) => ({ kind, id })),
    })),
    active: rule.active,
  };
}

/** The draft as the contract's rule checks it; what is no number stays one that no rule accepts. */
export function ruleOf({ name, lower, upper, unbounded, submittedBy, nodes, active }: RuleDraft) {
  return {
    name: name.trim(),
    lower: lower.trim(),
    upper: unbounded ? null : upper.trim(),
    submittedBy,
    nodes: nodes.map(({ approvers, needed }) => ({
      approvers,
      needed: /^\d{1,3}$/.test(needed.trim()) ? Number(needed) : 0,
    })),
    active,
  };
}

/** Whether the chain has this approver already: each may be named once. */
export function isNamed(nodes: readonly DraftNode[], approver: Approver): boolean {
  return nodes.some((node) => node.approvers.some(({ kind, id }) => kind === approver.kind && id === approver.id));
}
