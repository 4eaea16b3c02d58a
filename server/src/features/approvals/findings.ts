import type { FindingKind, FindingSeverity } from '@causeway/contract/approvals-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import {
  type Approver,
  ableAt,
  actorOf,
  canBePassed,
  centsOf,
  matchRule,
  mayDecide,
  type People,
  type Rule,
  type SealedNode,
  seatsOf,
  start,
} from './domain.ts';

/**
 * What a person should know about the rules as they are, pure: bands that overlap or leave gaps, rules that never apply, approvers
 * who cannot approve, amounts that no one could approve.
 */

/** US cents: lower ≤ value < upper; null: no bound. */
export interface Range {
  lower: bigint;
  upper: bigint | null;
}

export interface Found {
  kind: FindingKind;
  severity: FindingSeverity;
  rule: Pick<Rule, 'id' | 'name'> | null;
  /** From 0. */
  node: number | null;
  range: Range | null;
  /** Another rule, an approver, or initiators, by id; `gone` when the company no longer has them. */
  about: { rule?: string; person?: string; role?: string; initiators?: readonly string[]; gone?: boolean };
}

export interface FindingsInput {
  /** In their order, those switched off included. */
  rules: readonly Rule[];
  /** Without any rule and with review off there is nothing to say about amounts. */
  enabled: boolean;
  people: People;
  /** Who can apply for something: holders of one of these. */
  initiating: readonly Permission[];
  roles: ReadonlyMap<string, { active: boolean; quotaUsd: string | null }>;
}

export function findAll(input: FindingsInput): Found[] {
  const rules = input.rules.filter(({ active }) => active);
  return [
    ...findBands(rules, input.enabled),
    ...rules.flatMap((rule) => findApprovers(rule, input)),
    ...findUnpassable(rules, input.people, input.initiating),
  ];
}

function findBands(rules: readonly Rule[], enabled: boolean): Found[] {
  const slices = slicesOf(rules, []);
  const found: Found[] = [];
  const uncovered = slices.filter(({ lower }) => matchRule(rules, lower) === null);
  if (rules.length > 0 || enabled) {
    for (const range of joined(uncovered)) {
      found.push({ kind: 'gap', severity: 'problem', rule: null, node: null, range, about: {} });
    }
  }
  for (const [index, rule] of rules.entries()) {
    const own = slices.filter(({ lower }) => matchRule([rule], lower) !== null);
    if (own.every(({ lower }) => matchRule(rules, lower) !== rule)) {
      found.push({ kind: 'shadowed', severity: 'warning', rule, node: null, range: rangeOf(rule), about: {} });
      continue;
    }
    for (const earlier of rules.slice(0, index)) {
      const range = intersection(rangeOf(earlier), rangeOf(rule));
      if (range) {
        found.push({ kind: 'overlap', severity: 'warning', rule, node: null, range, about: { rule: earlier.id } });
      }
    }
  }
  return found;
}

function findApprovers(rule: Rule, { people, roles }: FindingsInput): Found[] {
  return rule.nodes.flatMap((node, index) => {
    const at = { rule, node: index };
    return [
      ...node.people.flatMap((id) => findPerson(rule, at, id, people)),
      ...node.roles.flatMap((id) => findRole(rule, at, id, people, roles)),
    ];
  });
}

type Place = Pick<Found, 'rule' | 'node'>;

function findPerson(rule: Rule, at: Place, id: string, people: People): Found[] {
  const person = people.get(id);
  const about = { person: id, gone: person === undefined };
  const warning = { ...at, severity: 'warning', range: null, about } as const;
  if (person?.status !== 'active') return [{ ...warning, kind: 'approverInactive' }];
  const actor = actorOf(person, people);
  if (person.onLeave && (actor === person || !mayDecide(actor, nodeOf(rule, at)))) {
    return [{ ...warning, kind: 'approverOnLeave' }];
  }
  if (!mayDecide(actor, nodeOf(rule, at))) return [{ ...warning, kind: 'approverMayNotDecide' }];
  return overLimit(rule, at, actor.quotaUsd, about);
}

function findRole(rule: Rule, at: Place, id: string, people: People, roles: FindingsInput['roles']): Found[] {
  const role = roles.get(id);
  const about = { role: id, gone: role === undefined };
  const warning = { ...at, severity: 'warning', range: null, about } as const;
  if (!role?.active) return [{ ...warning, kind: 'roleInactive' }];
  const holders = [...people.values()].filter(({ roleId }) => roleId === id);
  const able = holders.some((person) => {
    const actor = actorOf(person, people);
    return person.status === 'active' && mayDecide(actor, nodeOf(rule, at));
  });
  return able ? overLimit(rule, at, role.quotaUsd, about) : [{ ...warning, kind: 'roleEmpty' }];
}

/** An approver over their limit: from their quota on, up to the band's end. A problem when it is the whole band. */
function overLimit(rule: Rule, at: Place, quotaUsd: string | null, about: Found['about']): Found[] {
  if (quotaUsd === null) return [];
  const beyond = intersection(rangeOf(rule), { lower: centsOf(quotaUsd), upper: null });
  if (!beyond) return [];
  const severity = beyond.lower === rule.lowerCents ? 'problem' : 'warning';
  return [{ ...at, kind: 'approverOverLimit', severity, range: beyond, about }];
}

function nodeOf(rule: Rule, { node }: Place): SealedNode {
  return (node === null ? undefined : rule.nodes[node]) ?? { needed: 0, people: [], roles: [] };
}

/** Nodes that cannot be passed, and amounts that no one could approve: for any initiator, or for certain people. */
function findUnpassable(rules: readonly Rule[], everybody: People, initiating: readonly Permission[]): Found[] {
  const found: Found[] = [];
  const initiators = [...everybody.values()].filter(
    ({ status, permissions }) => status === 'active' && initiating.some((each) => permissions.includes(each)),
  );
  const quotas = [...new Set([...everybody.values()].flatMap(({ quotaUsd }) => (quotaUsd === null ? [] : [quotaUsd])))];
  const slices = slicesOf(rules, quotas.map(centsOf));
  for (const rule of rules) {
    const own = slices.filter(({ lower }) => matchRule(rules, lower) === rule);
    const people = concerned(rule, everybody);
    for (const [index, node] of rule.nodes.entries()) {
      const short = own.filter(({ lower }) => {
        return ableAt({ initiatorId: '', nodes: rule.nodes, valueCents: lower }, node, people).length < node.needed;
      });
      for (const range of joined(short)) {
        found.push({ kind: 'nodeCannotPass', severity: 'problem', rule, node: index, range, about: {} });
      }
    }
    found.push(...findNobody(rule, own, people, initiators));
  }
  return found;
}

function findNobody(rule: Rule, own: readonly Range[], people: People, initiators: readonly Approver[]): Found[] {
  const passes = (initiatorId: string, valueCents: bigint) =>
    canBePassed({ initiatorId, nodes: rule.nodes, valueCents }, start, people);
  const problem = { kind: 'nobodyCanApprove', severity: 'problem', rule, node: null } as const;
  const anybody = own.filter(({ lower }) => !passes('', lower));
  const whole = joined(anybody).map((range): Found => ({ ...problem, range, about: {} }));
  // Only whom the chain concerns can make a difference by not being able to approve their own.
  const inside = initiators.filter(({ id }) => people.has(id));
  const rest = own
    .filter((slice) => !anybody.includes(slice))
    .map((slice) => ({ ...slice, who: inside.flatMap(({ id }) => (passes(id, slice.lower) ? [] : [id])) }))
    .filter(({ who }) => who.length > 0);
  const groups = Map.groupBy(rest, ({ who }) => who.join());
  const certain = [...groups.values()].flatMap((group) =>
    joined(group).map((range): Found => ({ ...problem, range, about: { initiators: group[0]?.who ?? [] } })),
  );
  return [...whole, ...certain];
}

/** The people whom a rule concerns: its seats, and their deputies. */
function concerned(rule: Rule, people: People): People {
  const seats = rule.nodes.flatMap((node) => seatsOf(node, '', people));
  const all = seats.flatMap((seat) => [seat, actorOf(seat, people)]);
  return new Map(all.map((person) => [person.id, person]));
}

/** The amounts cut wherever anything about them may change; within a slice all amounts are alike. */
function slicesOf(rules: readonly Rule[], more: readonly bigint[]): Range[] {
  const cuts = rules.flatMap(({ lowerCents, upperCents }) =>
    upperCents === null ? [lowerCents] : [lowerCents, upperCents],
  );
  const sorted = [...new Set([0n, ...cuts, ...more])].sort((a, b) => (a < b ? -1 : 1));
  return sorted.map((lower, index) => ({ lower, upper: sorted[index + 1] ?? null }));
}

/** Neighbouring slices, in rising order, as one range each. */
function joined(slices: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { lower, upper } of slices) {
    const last = ranges.at(-1);
    if (last && last.upper === lower) last.upper = upper;
    else ranges.push({ lower, upper });
  }
  return ranges;
}

function rangeOf({ lowerCents, upperCents }: Rule): Range {
  return { lower: lowerCents, upper: upperCents };
}

function intersection(a: Range, b: Range): Range | null {
  const [, lower = 0n] = [a.lower, b.lower].sort((x, y) => (x < y ? -1 : 1));
  const upper = a.upper === null ? b.upper : b.upper === null || a.upper < b.upper ? a.upper : b.upper;
  return upper !== null && upper <= lower ? null : { lower, upper };
}
