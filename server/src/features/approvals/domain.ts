import { createHash } from 'node:crypto';
import type { ApprovalObstacle, ApprovalOutcome } from '@causeway/contract/approvals-rules.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import { invariant } from '../../platform/domain-error.ts';

/**
 * Who may approve what, pure. A *seat* is a person whom a node names, by themselves or by their role; its *actor* is who
 * decides for it: the person, or while they are on leave their deputy. Nobody acts twice in a chain, no seat counts twice.
 */

/** What the rules look at of a person (organisation's `Person` has it all). */
export interface Approver {
  id: string;
  name: string;
  roleId: string;
  status: 'invited' | 'active' | 'disabled';
  onLeave: boolean;
  deputyId: string | null;
  /** US dollars, exclusive; null: unlimited. */
  quotaUsd: string | null;
  permissions: readonly Permission[];
}

export type People<P extends Approver = Approver> = ReadonlyMap<string, P>;

/** A node as the initiator's authorisation seals it: `needed` of these people and of the holders of these roles. */
export interface SealedNode {
  needed: number;
  people: readonly string[];
  roles: readonly string[];
}

/** A node of a change of rules names nobody: whoever has the permission may approve. */
export interface ChainNode extends SealedNode {
  holders?: Permission;
}

/** What is decided on. `valueCents` null: no amount, so no limit applies. */
export interface Chain {
  initiatorId: string;
  nodes: readonly ChainNode[];
  valueCents: bigint | null;
}

/** Where a task stands: the node it has reached, and what was decided. */
export interface Progress {
  pending: boolean;
  node: number;
  decisions: readonly { node: number; approverId: string; seatId: string; outcome: ApprovalOutcome }[];
}

export interface Rule {
  id: string;
  version: number;
  name: string;
  /** US cents: lower ≤ value < upper; null: no upper bound. */
  lowerCents: bigint;
  upperCents: bigint | null;
  nodes: readonly SealedNode[];
  active: boolean;
}

function ruleCovers(rule: Rule, cents: bigint): boolean {
  return rule.active && rule.lowerCents <= cents && (rule.upperCents === null || cents < rule.upperCents);
}

/** The first rule that covers the value, in the order of the rules (decisions, "Approvals and risk"). */
export function matchRule(rules: readonly Rule[], cents: bigint): Rule | null {
  return rules.find((rule) => ruleCovers(rule, cents)) ?? null;
}

/** US dollars as cents. */
export function centsOf(usd: string): bigint {
  const parsed = parseAmount(usd, 2);
  invariant(parsed.ok, `${usd} is an amount in US dollars`);
  return parsed.minor;
}

/** Whether the value is within the limit of the person's role (value < quota). */
export function isWithinLimit(person: Approver, valueCents: bigint | null): boolean {
  return valueCents === null || person.quotaUsd === null || valueCents < centsOf(person.quotaUsd);
}

/** Whether a person may decide on this kind of task at all, limits aside. */
export function mayDecide(person: Approver, node: ChainNode): boolean {
  const { permissions } = person;
  const holds = node.holders === undefined || permissions.includes(node.holders);
  return person.status === 'active' && permissions.includes('approval.decide') && holds;
}

/**
 * Who decides for a person: while they are on leave their deputy, if that is somebody active and not on leave too; otherwise they
 * themselves. So nobody can act for another while a deputy acts for them.
 */
export function actorOf<P extends Approver>(person: P, people: People<P>): P {
  const deputy = person.onLeave && person.deputyId !== null ? people.get(person.deputyId) : undefined;
  return deputy?.status === 'active' && !deputy.onLeave ? deputy : person;
}

function isNamed(node: ChainNode, person: Approver): boolean {
  if (node.holders !== undefined) return person.permissions.includes(node.holders);
  return node.people.includes(person.id) || node.roles.includes(person.roleId);
}

/** The people whom a node names, who still belong to the company; never the initiator. */
export function seatsOf<P extends Approver>(node: ChainNode, initiatorId: string, people: People<P>): P[] {
  const named = [...people.values()].filter((person) => isNamed(node, person));
  return named.filter(({ id, status }) => status === 'active' && id !== initiatorId);
}

export interface Able<P extends Approver = Approver> {
  actor: P;
  seat: P;
}

/**
 * Who could decide at a node, each with the seat they would use (their own before another's); without those who have acted
 * in the chain, and without seats that have been used.
 */
export function ableAt<P extends Approver>(
  chain: Chain,
  node: ChainNode,
  people: People<P>,
  used: ReadonlySet<string> = new Set(),
): Able<P>[] {
  const byActor = new Map<string, Able<P>>();
  for (const seat of seatsOf(node, chain.initiatorId, people)) {
    const actor = actorOf(seat, people);
    const mayAct = actor.id !== chain.initiatorId && mayDecide(actor, node) && isWithinLimit(actor, chain.valueCents);
    if (!mayAct || used.has(seat.id) || used.has(actor.id)) continue;
    if (actor === seat || !byActor.has(actor.id)) byActor.set(actor.id, { actor, seat });
  }
  return [...byActor.values()];
}

/** The same of the node that a task has reached. */
export function ableNow<P extends Approver>(chain: Chain, progress: Progress, people: People<P>): Able<P>[] {
  const node = chain.nodes[progress.node];
  return progress.pending && node ? ableAt(chain, node, people, usedIn(progress)) : [];
}

/** Who has acted in a chain, and whose seats are used up. */
export function usedIn({ decisions }: Pick<Progress, 'decisions'>): ReadonlySet<string> {
  return new Set(decisions.flatMap(({ approverId, seatId }) => [approverId, seatId]));
}

export type Judgement<P extends Approver = Approver> = { seat: P } | { obstacle: ApprovalObstacle };

/**
 * Whether a person may decide on a task now: it is pending, not their own, they are an approver of the node that it has reached
 * and have not decided in this chain yet, and its value is within their limit at this moment.
 */
export function judge<P extends Approver>(
  chain: Chain,
  progress: Progress,
  person: P,
  people: People<P>,
): Judgement<P> {
  const node = chain.nodes[progress.node];
  if (!progress.pending || !node) return { obstacle: 'ended' };
  if (person.id === chain.initiatorId) return { obstacle: 'own' };
  if (!mayDecide(person, node)) return { obstacle: 'noPermission' };
  if (usedIn(progress).has(person.id)) return { obstacle: 'alreadyDecided' };
  const used = usedIn(progress);
  const seats = seatsOf(node, chain.initiatorId, people).filter(
    (seat) => !used.has(seat.id) && actorOf(seat, people).id === person.id,
  );
  const seat = seats.find(({ id }) => id === person.id) ?? seats[0];
  if (!seat) return { obstacle: obstacleWithoutSeat(chain, progress, person, people) };
  return isWithinLimit(person, chain.valueCents) ? { seat } : { obstacle: 'overLimit' };
}

function obstacleWithoutSeat<P extends Approver>(
  chain: Chain,
  progress: Progress,
  person: P,
  people: People<P>,
): ApprovalObstacle {
  const seatsAt = (index: number) => {
    const node = chain.nodes[index];
    return node ? seatsOf(node, chain.initiatorId, people) : [];
  };
  const here = seatsAt(progress.node);
  if (here.some((seat) => actorOf(seat, people).id === person.id)) return 'alreadyDecided';
  if (here.some(({ id }) => id === person.id)) return 'deputyDecides';
  const later = chain.nodes.slice(progress.node + 1).flatMap((_, index) => seatsAt(progress.node + 1 + index));
  return later.some((seat) => actorOf(seat, people).id === person.id) ? 'notYet' : 'notApprover';
}

/** What a decision does to a task: it ends, moves on to the next node, or stays until more have approved. */
export function advance(
  nodes: readonly SealedNode[],
  progress: Progress,
  outcome: ApprovalOutcome,
): { end: 'approved' | 'rejected' } | { node: number } {
  if (outcome === 'rejected') return { end: 'rejected' };
  const current = nodes[progress.node];
  invariant(current, 'a pending task stands at one of its nodes');
  if (approvedAt(progress, progress.node) + 1 < current.needed) return { node: progress.node };
  return progress.node + 1 === nodes.length ? { end: 'approved' } : { node: progress.node + 1 };
}

export function approvedAt({ decisions }: Progress, node: number): number {
  return decisions.filter((decision) => decision.node === node && decision.outcome === 'approved').length;
}

export const start: Progress = { pending: true, node: 0, decisions: [] };

/** Whether the rest of a chain can still be passed by these people: for every missing approval somebody else. */
export function canBePassed(chain: Chain, progress: Progress, people: People): boolean {
  const used = usedIn(progress);
  const places = chain.nodes.slice(progress.node).map((node, index) => ({
    needed: node.needed - (index === 0 ? approvedAt(progress, progress.node) : 0),
    actors: ableAt(chain, node, people, used).map(({ actor }) => actor.id),
  }));
  return canBeStaffed(places);
}

/** Whether each place can be given a person of its own, nobody taking two (bipartite matching by augmenting paths). */
export function canBeStaffed(places: readonly { needed: number; actors: readonly string[] }[]): boolean {
  const total = places.reduce((sum, { needed }) => sum + needed, 0);
  // Where as many can act as are needed altogether, it does not matter which of them are looked at.
  const candidates = places.map(({ actors }) => actors.slice(0, total));
  const placeOf = new Map<string, number>();
  const seat = (place: number, tried: Set<string>): boolean =>
    (candidates[place] ?? []).some((actor) => {
      if (tried.has(actor)) return false;
      tried.add(actor);
      const taken = placeOf.get(actor);
      if (taken !== undefined && !seat(taken, tried)) return false;
      placeOf.set(actor, place);
      return true;
    });
  return places.every(({ needed }, place) =>
    Array.from({ length: Math.max(0, needed) }).every(() => seat(place, new Set())),
  );
}

/** What a decision's code is bound to: these tasks with what they are about, and the outcome. SHA-256, hex. */
export function decisionDigest(
  companyId: string,
  tasks: readonly { id: string; digest: string }[],
  outcome: ApprovalOutcome,
): string {
  const each = tasks.map(({ id, digest }) => [id, digest]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return sha256Hex(['causeway.decision.1', companyId, outcome, each]);
}

/** SHA-256, hex, of parts that cannot run into each other. */
export function sha256Hex(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
