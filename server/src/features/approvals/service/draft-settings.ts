import type { ApprovalRule, Approver, ReviewChange, RuleContent } from '@causeway/contract/approvals.ts';
import { maxRules, type SubmitterKind } from '@causeway/contract/approvals-rules.ts';
import type { ErrorKey } from '@causeway/contract/errors.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import { refusal } from '../../ledger/index.ts';
import { type Called, findCalled, findRoleNames } from '../../organisation/index.ts';
import { centsOf, type Rule } from '../domain.ts';
import { type RuleRow, readRules, ruleExists, type Settings } from '../store/rules.ts';
import { type NamedSubmitter, namedSubmitters, type Submitters } from '../submitters.ts';
import { type PeopleById, peopleById } from './people.ts';

/** What a change of the approval settings would make of them; nothing is written here. */

export interface Surroundings {
  settings: Settings;
  rules: readonly RuleRow[];
  people: PeopleById;
  roles: RoleNames;
  /** What those are called whom rules are for, deleted ones included, and those whom a change names. */
  called: ReadonlyMap<string, Called>;
}

export type RoleNames = Awaited<ReturnType<typeof findRoleNames>>;

/** A rule with names instead of ids. */
type ShownRule = Pick<ApprovalRule, 'name' | 'lower' | 'upper' | 'submittedBy' | 'nodes' | 'active'>;

/** What a change is about, before or after it; null where there is none. */
interface ShownSide {
  rule: ShownRule | null;
  /** The names of all rules. */
  order: string[] | null;
  enabled: boolean | null;
}

/** A change with names instead of ids. */
export interface ShownChange {
  kind: ReviewChange['kind'];
  before: ShownSide;
  after: ShownSide;
}

export interface Plan {
  rules: readonly Rule[];
  enabled: boolean;
  /** With the names of now: for the task, the log and the audit trail. */
  shown: ShownChange;
  /** Of the rule that it is about; '' when it is about none. */
  ruleName: string;
}

/** `change`: one that may name others than the rules do. */
export async function readSurroundings(tx: Tx, settings: Settings, change?: ReviewChange): Promise<Surroundings> {
  const rules = await readRules(tx);
  const [people, roles] = [await peopleById(tx), await findRoleNames(tx)];
  return { settings, rules, people, roles, called: await readCalled(tx, rules, change) };
}

/** What those are called whom these rules, and this change, are for. */
export async function readCalled(
  tx: Tx,
  rules: readonly Pick<Rule, 'submitters'>[],
  change?: ReviewChange,
  locale?: Locale,
): Promise<Map<string, Called>> {
  const ids = rules.flatMap(({ submitters }) => (submitters ? namedSubmitters(submitters).map(({ id }) => id) : []));
  return findCalled(tx, [...ids, ...namedInChange(change)], locale);
}

/** The ids of those whom the rule that a change writes is for. */
export function namedInChange(change: ReviewChange | undefined): string[] {
  const rule = change?.kind === 'add' || change?.kind === 'change' ? change.rule : null;
  return (rule?.submittedBy ?? []).map(({ id }) => id);
}

/**
 * Checks a change against the settings as they are, and returns the settings that it would make.
 * @throws DomainError approverExists, idTaken, notFound, reviewChanged, submitterExists, tooManyRules
 */
export async function planChange(tx: Tx, change: ReviewChange, now: Surroundings): Promise<Plan> {
  const { rules, settings } = now;
  const none = { rule: null, order: null, enabled: null };
  const shown = (before: Partial<ShownSide>, after: Partial<ShownSide>) => ({
    kind: change.kind,
    before: { ...none, ...before },
    after: { ...none, ...after },
  });
  if (change.kind === 'switch') {
    const { enabled } = change;
    return { rules, enabled, shown: shown({ enabled: settings.enabled }, { enabled }), ruleName: '' };
  }
  if (change.kind === 'order') {
    const ordered = inOrder(rules, change.ids);
    const names = (of: readonly Rule[]) => of.map(({ name }) => name);
    return {
      rules: ordered,
      enabled: settings.enabled,
      shown: shown({ order: names(rules) }, { order: names(ordered) }),
      ruleName: '',
    };
  }
  if (change.kind === 'add') {
    if (await ruleExists(tx, change.id)) throw new DomainError('idTaken');
    if (rules.length >= maxRules) throw new DomainError('tooManyRules', { most: maxRules });
  }
  const before = rules.find(({ id }) => id === change.id) ?? null;
  if (change.kind !== 'add' && !before) throw new DomainError('notFound');
  const after = change.kind === 'delete' ? null : ruleOf(change, before, now);
  const others = rules.filter(({ id }) => id !== change.id);
  const next = after && before ? rules.map((rule) => (rule.id === change.id ? after : rule)) : others;
  return {
    rules: after && !before ? [...next, after] : next,
    enabled: settings.enabled,
    shown: shown({ rule: before && showRule(before, now) }, { rule: after && showRule(after, now) }),
    ruleName: (after ?? before)?.name ?? '',
  };
}

function inOrder(rules: readonly RuleRow[], ids: readonly string[]): RuleRow[] {
  const ordered = ids.map((id) => {
    const rule = rules.find((each) => each.id === id);
    if (!rule) throw new DomainError('notFound');
    return rule;
  });
  // The list is not whole, or names one twice.
  if (ordered.length !== rules.length || new Set(ids).size !== rules.length) throw new DomainError('reviewChanged');
  return ordered;
}

function ruleOf(
  { id, rule }: { id: string; rule: RuleContent },
  before: Rule | null,
  { people, roles, called }: Surroundings,
): Rule {
  const approvers = rule.nodes.flatMap((node) => node.approvers);
  for (const approver of approvers) {
    const known = approver.kind === 'person' ? people.has(approver.id) : roles.has(approver.id);
    if (!known) throw new DomainError('notFound');
  }
  const keys = approvers.map((approver) => `${approver.kind}/${approver.id}`);
  if (new Set(keys).size !== keys.length) throw namedTwice(rule);
  const idsOf = (list: readonly Approver[], kind: Approver['kind']) =>
    list.filter((approver) => approver.kind === kind).map((approver) => approver.id);
  return {
    id,
    version: (before?.version ?? 0) + 1,
    name: rule.name.trim(),
    lowerCents: centsOf(rule.lower),
    upperCents: rule.upper === null ? null : centsOf(rule.upper),
    submitters: submittersOf(rule, before?.submitters ?? null, called),
    nodes: rule.nodes.map((node) => ({
      needed: node.needed,
      people: idsOf(node.approvers, 'person'),
      roles: idsOf(node.approvers, 'role'),
    })),
    active: rule.active,
  };
}

const kindsCalled = { person: 'member', role: 'role', department: 'department' } as const;

/** Whom the rule is for. Those of the rule as it was may stay although they were deleted. @throws DomainError notFound, submitterExists */
function submittersOf(
  { submittedBy }: RuleContent,
  before: Submitters | null,
  called: Surroundings['called'],
): Submitters | null {
  if (submittedBy === undefined) return before;
  if (submittedBy.length === 0) return null;
  const kept = before ? namedSubmitters(before).map(({ id }) => id) : [];
  submittedBy.forEach(({ kind, id }, place) => {
    const found = called.get(id);
    const isKnown = found?.kind === kindsCalled[kind] && !found.gone;
    if (!isKnown && !kept.includes(id)) throw refusal('notFound', {}, `rule.submittedBy.${place}`);
    if (submittedBy.findIndex((other) => other.id === id) !== place) {
      throw refusal('submitterExists', {}, `rule.submittedBy.${place}`);
    }
  });
  const ids = (of: SubmitterKind) => submittedBy.filter(({ kind }) => kind === of).map(({ id }) => id);
  return { people: ids('person'), roles: ids('role'), departments: ids('department') };
}

/** Names the field of the second mention, so that the form can show it where it is. */
function namedTwice(rule: RuleContent): DomainError {
  const seen = new Set<string>();
  const key: ErrorKey = 'approverExists';
  for (const [index, node] of rule.nodes.entries()) {
    for (const [place, approver] of node.approvers.entries()) {
      const name = `${approver.kind}/${approver.id}`;
      if (seen.has(name)) {
        return new DomainError(key, {}, { [`rule.nodes.${index}.approvers.${place}`]: `error.${key}` });
      }
      seen.add(name);
    }
  }
  return new DomainError(key);
}

export function showRule(
  rule: Rule,
  {
    people,
    roles,
    called,
  }: {
    people: ReadonlyMap<string, { name: string }>;
    roles: ReadonlyMap<string, { name: string }>;
    called: ReadonlyMap<string, Pick<Called, 'name' | 'gone'>>;
  },
): ShownRule {
  return {
    name: rule.name,
    lower: formatAmount(rule.lowerCents, 2),
    upper: rule.upperCents === null ? null : formatAmount(rule.upperCents, 2),
    submittedBy: rule.submitters && showSubmitters(rule.submitters, called),
    nodes: rule.nodes.map((node) => ({
      needed: node.needed,
      approvers: [
        ...node.people.map((id) => showApprover('person', id, people)),
        ...node.roles.map((id) => showApprover('role', id, roles)),
      ],
    })),
    active: rule.active,
  };
}

export function showSubmitters(
  submitters: Submitters,
  called: ReadonlyMap<string, Pick<Called, 'name' | 'gone'>>,
): NonNullable<ShownRule['submittedBy']> {
  return namedSubmitters(submitters).map((each) => showSubmitter(each, called));
}

/** A rule as it is read: whom nothing names any more is said to be deleted. */
export function sayGone<T extends Pick<ShownRule, 'submittedBy'>>(rule: T, locale: Locale): T {
  const { submittedBy } = rule;
  return { ...rule, submittedBy: submittedBy?.map((each) => nameIfGone(each, locale)) ?? null };
}

export function nameIfGone<T extends { name: string }>(named: T, locale: Locale): T {
  return named.name === '' ? { ...named, name: translate(locale, 'approvals.goneSubmitter') } : named;
}

/** One that is not known at all is a name from before the names of deleted ones were kept. */
export function showSubmitter(
  { kind, id }: NamedSubmitter,
  called: ReadonlyMap<string, Pick<Called, 'name' | 'gone'>>,
): NonNullable<ShownRule['submittedBy']>[number] {
  const { name, gone } = called.get(id) ?? { name: '', gone: true };
  return { kind, id, name, gone };
}

export function showApprover(
  kind: Approver['kind'],
  id: string,
  named: ReadonlyMap<string, { name: string }>,
): ShownRule['nodes'][number]['approvers'][number] {
  const found = named.get(id);
  return { kind, id, name: found?.name ?? '', gone: found === undefined };
}
