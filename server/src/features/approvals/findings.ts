import type { FindingKind, FindingSeverity } from '@causeway/contract/approvals-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import {
  ableAt,
  actorOf,
  canBePassed,
  centsOf,
  mayDecide,
  type People,
  type Rule,
  ruleCovers,
  type SealedNode,
  seatsOf,
  start,
} from './domain.ts';
import { groupsOf, type Initiator, isThere, type SubmitterGroup } from './submitter-groups.ts';
import { type NamedSubmitter, namedSubmitters } from './submitters.ts';

/**
 * What a person should know about the rules as they are, pure: bands that overlap or leave gaps, for everybody or for some, rules that never
 * apply, approvers who cannot approve, amounts that no one could approve.
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
  about: {
    rule?: string;
    person?: string;
    role?: string;
    initiators?: readonly string[];
    /** Members whom no rule names, where all who submit now are named. */
    others?: boolean;
    submitter?: NamedSubmitter;
    gone?: boolean;
  };
}

export interface FindingsInput {
  /** In their order, those switched off included. */
  rules: readonly Rule[];
  /** Without any rule and with review off there is nothing to say about amounts. */
  enabled: boolean;
  people: People<Initiator>;
  /** Of each department, itself and those above it. */
  departments: ReadonlyMap<string, readonly string[]>;
  /** Who can apply for something: holders of one of these. */
  initiating: readonly Permission[];
  roles: ReadonlyMap<string, { active: boolean; quotaUsd: string | null }>;
}

export function findAll(input: FindingsInput): Found[] {
  const rules = input.rules.filter(({ active }) => active);
  const quotas = [...input.people.values()].flatMap(({ quotaUsd }) => (quotaUsd === null ? [] : [centsOf(quotaUsd)]));
  const slices = slicesOf(rules, quotas);
  const groups = groupsOf(rules, input);
  const table = tableOf(groups, slices);
  return [
    ...findGaps(table, rules.length > 0 || input.enabled),
    ...findBands(rules, table),
    ...rules.flatMap((rule) => findSubmitters(rule, table, input)),
    ...rules.flatMap((rule) => findApprovers(rule, input)),
    ...rules.flatMap((rule) => findUnpassable(rule, table, input.people)),
  ];
}

/** What every group meets at every value. */
interface Table {
  slices: readonly Range[];
  groups: readonly (SubmitterGroup & { at: readonly (Rule | null)[] })[];
}

function tableOf(groups: readonly SubmitterGroup[], slices: readonly Range[]): Table {
  const first = (rules: readonly Rule[], { lower }: Range) => rules.find((rule) => ruleCovers(rule, lower)) ?? null;
  return {
    slices,
    groups: groups.map((group) => ({ ...group, at: slices.map((slice) => first(group.rules, slice)) })),
  };
}

/** The amounts at which a rule decides, for any of these groups. */
function decidedBy(rule: Rule, { slices, groups }: Table): Range[] {
  return slices.filter((_, place) => groups.some(({ at }) => at[place] === rule));
}

function findGaps({ slices, groups }: Table, matters: boolean): Found[] {
  if (!matters) return [];
  const gap = { kind: 'gap', rule: null, node: null } as const;
  const uncovered = slices.flatMap((slice, place) => {
    const open = groups.filter(({ at }) => at[place] === null);
    if (open.length === 0) return [];
    const who = open.flatMap(({ members }) => members);
    const isWhole = open.length === groups.length;
    return [{ ...slice, isWhole, who: isWhole ? [] : who }];
  });
  return [...Map.groupBy(uncovered, ({ isWhole, who }) => `${isWhole} ${who.join()}`).values()].flatMap((same) =>
    joined(same).map((range): Found => {
      const { isWhole = true, who = [] } = same[0] ?? {};
      if (isWhole) return { ...gap, severity: 'problem', range, about: {} };
      return who.length > 0
        ? { ...gap, severity: 'problem', range, about: { initiators: who } }
        : { ...gap, severity: 'warning', range, about: { others: true } };
    }),
  );
}

function findBands(rules: readonly Rule[], table: Table): Found[] {
  return rules.flatMap((rule, index): Found[] => {
    // All whom it names are gone: said of the rule itself.
    if (!table.groups.some((group) => group.rules.includes(rule))) return [];
    if (decidedBy(rule, table).length === 0) {
      return [{ kind: 'shadowed', severity: 'warning', rule, node: null, range: rangeOf(rule), about: {} }];
    }
    return rules.slice(0, index).flatMap((earlier): Found[] => {
      const range = intersection(rangeOf(earlier), rangeOf(rule));
      // An exception for some before the rule for everybody is how it is meant to be written.
      const isException = earlier.submitters !== null && rule.submitters === null;
      const meet = table.groups.some((group) => group.rules.includes(earlier) && group.rules.includes(rule));
      if (!range || isException || !meet) return [];
      return [{ kind: 'overlap', severity: 'warning', rule, node: null, range, about: { rule: earlier.id } }];
    });
  });
}

/** Those of a rule who are no longer there, and a rule under which no member submits as things are. */
function findSubmitters(rule: Rule, { groups }: Table, input: FindingsInput): Found[] {
  if (rule.submitters === null) return [];
  const warning = { severity: 'warning', rule, node: null, range: null } as const;
  const gone = namedSubmitters(rule.submitters).filter((named) => !isThere(named, input));
  const submits = groups.some(({ members, rules }) => members.length > 0 && rules.includes(rule));
  return [
    ...gone.map((submitter): Found => ({ ...warning, kind: 'submitterGone', about: { submitter, gone: true } })),
    ...(submits ? [] : [{ ...warning, kind: 'nobodySubmits', about: {} } satisfies Found]),
  ];
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
function findUnpassable(rule: Rule, table: Table, everybody: People): Found[] {
  const own = decidedBy(rule, table);
  const people = concerned(rule, everybody);
  const short = rule.nodes.flatMap((node, index) => {
    const lacking = own.filter(
      ({ lower }) =>
        ableAt({ initiatorId: '', nodes: rule.nodes, valueCents: lower }, node, people).length < node.needed,
    );
    return joined(lacking).map(
      (range): Found => ({ kind: 'nodeCannotPass', severity: 'problem', rule, node: index, range, about: {} }),
    );
  });
  return [...short, ...findNobody(rule, table, people)];
}

function findNobody(rule: Rule, table: Table, people: People): Found[] {
  const own = decidedBy(rule, table);
  const passes = (initiatorId: string, valueCents: bigint) =>
    canBePassed({ initiatorId, nodes: rule.nodes, valueCents }, start, people);
  const problem = { kind: 'nobodyCanApprove', severity: 'problem', rule, node: null } as const;
  const anybody = own.filter(({ lower }) => !passes('', lower));
  const whole = joined(anybody).map((range): Found => ({ ...problem, range, about: {} }));
  const rest = own
    .filter((slice) => !anybody.includes(slice))
    .map((slice) => {
      const place = table.slices.indexOf(slice);
      const submitting = table.groups.filter(({ at }) => at[place] === rule).flatMap(({ members }) => members);
      // Only whom the chain concerns can make a difference by not being able to approve their own.
      const inside = submitting.filter((id) => people.has(id)).sort();
      return { ...slice, who: inside.filter((id) => !passes(id, slice.lower)) };
    })
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
