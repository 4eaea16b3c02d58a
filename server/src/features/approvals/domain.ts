import { createHash } from 'node:crypto';
import type { ApprovalObstacle, ApprovalOutcome } from '@causeway/contract/approvals-rules.ts';
import { grantedByInitiatorDays } from '@causeway/contract/control-rules.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type { ControllingPermission, Permission } from '@causeway/contract/permission.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { AuthorityChange } from '../organisation/index.ts';
import type { Submitters } from './submitters.ts';

/**
 * Who may approve what, pure. A *seat* is a person whom a node names, by themselves or by their role; its *actor* is who
 * decides for it: the person, or while they are on leave their deputy. A person acts once in a chain, and a seat counts once.
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
  /** How what they can do has changed, the oldest first; as far as it matters to pending tasks. */
  changes: readonly AuthorityChange[];
}

export type People<P extends Approver = Approver> = ReadonlyMap<string, P>;

/** A node as the initiator's authorisation seals it: `needed` of these people and of the holders of these roles. */
export interface SealedNode {
  needed: number;
  people: readonly string[];
  roles: readonly string[];
}

/** A node of a change of controls names no one: those who hold the permission may approve, `except` those who gain by it. */
export interface ChainNode extends SealedNode {
  holders?: ControllingPermission;
  except?: readonly string[];
}

/** What is decided on. `valueCents` null: no amount, so no limit applies. */
export interface Chain {
  initiatorId: string;
  nodes: readonly ChainNode[];
  valueCents: bigint | null;
  /** Absent while it is only foreseen. */
  begun?: Begun;
  /** By the company's setting approvers cannot decide to whom the initiator gave the right. */
  forbidsGrantees?: boolean;
  /** When review was first on; before, whom an administrator added counts as a second person at once. */
  reviewedSince?: Date | null;
  /** The moment of judging, by the clock that dates tasks and changes. */
  now?: Date;
}

/** What judging needs of a task that has begun. */
export interface Begun {
  at: Date;
  /** An administrator can take it over once its initiator is no longer active. */
  adoptable: boolean;
  adopterId: string | null;
}

/** The progress of a task: the node it has reached, and the decisions. */
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
  /** Null: everybody. An empty one is for no member at all. */
  submitters: Submitters | null;
  nodes: readonly SealedNode[];
  active: boolean;
}

/** Whether a rule is in force for this value, in US cents, of those for whom it is. */
export function ruleCovers(rule: Rule, cents: bigint): boolean {
  return rule.active && rule.lowerCents <= cents && (rule.upperCents === null || cents < rule.upperCents);
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
 * Who decides for a person: while they are on leave their deputy, if the deputy is active and not on leave too; otherwise they
 * themselves. So a person for whom a deputy acts cannot act for another.
 */
export function actorOf<P extends Approver>(person: P, people: People<P>): P {
  const deputy = person.onLeave && person.deputyId !== null ? people.get(person.deputyId) : undefined;
  return deputy?.status === 'active' && !deputy.onLeave ? deputy : person;
}

/**
 * The same for a task: a deputy who stood in for them when it began, and ever since. Of what is older than their deputy a person on
 * leave decides themselves.
 */
function actorFor<P extends Approver>(chain: Chain, person: P, people: People<P>): P {
  const actor = actorOf(person, people);
  const { begun } = chain;
  if (actor === person || !begun) return actor;
  const stoodIn = since(actor, begun.at).every(({ before }) => before?.seats.includes(person.id));
  return stoodIn ? actor : person;
}

function since({ changes }: Approver, at: Date): readonly AuthorityChange[] {
  return changes.filter((change) => change.at > at);
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

/** The same of a task: also never who adopted it. */
function seatsIn<P extends Approver>({ initiatorId, begun }: Chain, node: ChainNode, people: People<P>): P[] {
  return seatsOf(node, initiatorId, people).filter(({ id }) => id !== begun?.adopterId);
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
  if (isAbandoned(chain, people)) return [];
  for (const able of candidatesAt(chain, node, people, used)) {
    if (barOf(chain, node, able) !== null) continue;
    if (able.actor === able.seat || !byActor.has(able.actor.id)) byActor.set(able.actor.id, able);
  }
  return [...byActor.values()];
}

/** Who could decide at a node but for when or from whom they have the right. */
export function barredAt<P extends Approver>(
  chain: Chain,
  node: ChainNode,
  people: People<P>,
  used: ReadonlySet<string> = new Set(),
): { actor: P; bar: Bar }[] {
  const able = new Set(ableAt(chain, node, people, used).map(({ actor }) => actor.id));
  const bars = new Map<string, { actor: P; bar: Bar }>();
  for (const each of candidatesAt(chain, node, people, used)) {
    const bar = able.has(each.actor.id) ? null : barOf(chain, node, each);
    if (bar) bars.set(each.actor.id, { actor: each.actor, bar });
  }
  return [...bars.values()];
}

function candidatesAt<P extends Approver>(
  chain: Chain,
  node: ChainNode,
  people: People<P>,
  used: ReadonlySet<string>,
): Able<P>[] {
  const { initiatorId, valueCents, begun } = chain;
  return seatsIn(chain, node, people).flatMap((seat) => {
    const actor = actorFor(chain, seat, people);
    const isOwn = actor.id === initiatorId || actor.id === begun?.adopterId;
    const mayAct = !isOwn && mayDecide(actor, node) && isWithinLimit(actor, valueCents);
    return mayAct && !used.has(seat.id) && !used.has(actor.id) ? [{ actor, seat }] : [];
  });
}

/** Why a person whom a node names may not decide, although they have the right now. */
export type Bar = Extract<ApprovalObstacle, 'tooNew' | 'grantedByInitiator' | 'concerned'>;

function barOf(chain: Chain, node: ChainNode, able: Able): Bar | null {
  if (node.except?.includes(able.actor.id) || node.except?.includes(able.seat.id)) return 'concerned';
  if (!wasAbleThroughout(chain, node, able)) return 'tooNew';
  return isBarredGrantee(chain, node, able.actor) ? 'grantedByInitiator' : null;
}

/** Whether the person could decide when the task began, and in every state since. */
function wasAbleThroughout({ begun, valueCents }: Chain, node: ChainNode, { actor, seat }: Able): boolean {
  if (!begun) return true;
  const isOwn = actor.id === seat.id;
  const decided = ({ before }: AuthorityChange): boolean =>
    before?.rights.includes('approval.decide') === true &&
    (node.holders === undefined || before.rights.includes(node.holders)) &&
    (valueCents === null || before.quotaCents === null || valueCents < BigInt(before.quotaCents)) &&
    (isOwn ? wasNamed(node, actor.id, before) : before.seats.includes(seat.id));
  const named = ({ before }: AuthorityChange): boolean => before !== null && wasNamed(node, seat.id, before);
  return since(actor, begun.at).every(decided) && (isOwn || since(seat, begun.at).every(named));
}

function wasNamed(node: ChainNode, id: string, before: NonNullable<AuthorityChange['before']>): boolean {
  if (node.holders !== undefined) return before.rights.includes(node.holders);
  return node.people.includes(id) || node.roles.includes(before.roleId);
}

const dayMs = 24 * 3_600_000;
/** For the time that a removal counts (ADR 0037), a person made by the proposer is not their second person. */
const granteeHoldMs = 7 * dayMs;

/** When the initiator or the adopter last gave this person a right within 30 days; null: not. */
export function grantedByInitiatorAt({ initiatorId, begun, now }: Chain, { changes }: Approver): Date | null {
  if (!now) return null;
  const from = now.getTime() - grantedByInitiatorDays * dayMs;
  const grants = changes.filter(
    ({ at, byId, gained }) =>
      gained && at.getTime() > from && (byId === initiatorId || byId === (begun?.adopterId ?? initiatorId)),
  );
  return grants.at(-1)?.at ?? null;
}

function isBarredGrantee(chain: Chain, node: ChainNode, actor: Approver): boolean {
  const at = grantedByInitiatorAt(chain, actor)?.getTime();
  if (at === undefined || !chain.now) return false;
  if (chain.forbidsGrantees) return true;
  const { reviewedSince = null, now } = chain;
  return (
    node.holders !== undefined &&
    reviewedSince !== null &&
    at > Math.max(reviewedSince.getTime(), now.getTime() - granteeHoldMs)
  );
}

/** Whether its initiator is no longer active, and no administrator has adopted it yet. */
export function isAbandoned({ initiatorId, begun }: Chain, people: People): boolean {
  return begun?.adoptable === true && begun.adopterId === null && people.get(initiatorId)?.status !== 'active';
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
  if (person.id === chain.begun?.adopterId) return { obstacle: 'adopted' };
  if (!mayDecide(person, node)) return { obstacle: 'noPermission' };
  if (usedIn(progress).has(person.id)) return { obstacle: 'alreadyDecided' };
  const used = usedIn(progress);
  const seats = seatsIn(chain, node, people).filter(
    (seat) => !used.has(seat.id) && actorFor(chain, seat, people).id === person.id,
  );
  const inOrder = [...seats.filter(({ id }) => id === person.id), ...seats];
  const [first] = inOrder;
  if (!first) return { obstacle: obstacleWithoutSeat(chain, progress, person, people) };
  if (isAbandoned(chain, people)) return { obstacle: 'initiatorLeft' };
  if (!isWithinLimit(person, chain.valueCents)) return { obstacle: 'overLimit' };
  const free = inOrder.find((seat) => barOf(chain, node, { actor: person, seat }) === null);
  return free ? { seat: free } : { obstacle: barOf(chain, node, { actor: person, seat: first }) ?? 'notApprover' };
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
  if (here.some((seat) => actorFor(chain, seat, people).id === person.id)) return 'alreadyDecided';
  if (here.some(({ id }) => id === person.id)) return 'deputyDecides';
  const later = chain.nodes.flatMap((_, index) => (index > progress.node ? seatsAt(index) : []));
  return later.some((seat) => actorFor(chain, seat, people).id === person.id) ? 'notYet' : 'notApprover';
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

/** Whether the rest of a chain can still be passed by these people: for every missing approval a different person. */
export function canBePassed(chain: Chain, progress: Progress, people: People): boolean {
  const used = usedIn(progress);
  const places = chain.nodes.slice(progress.node).map((node, index) => ({
    needed: node.needed - (index === 0 ? approvedAt(progress, progress.node) : 0),
    actors: ableAt(chain, node, people, used).map(({ actor }) => actor.id),
  }));
  return canBeStaffed(places);
}

/** Whether each place can be given a person of its own (bipartite matching by augmenting paths). */
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
