import type { ApprovalRule, Approver, ReviewChange, RuleContent } from '@causeway/contract/approvals.ts';
import { maxRules } from '@causeway/contract/approvals-rules.ts';
import type { ErrorKey } from '@causeway/contract/errors.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { findRoleNames } from '../../organisation/index.ts';
import { centsOf, type Rule } from '../domain.ts';
import { type RuleRow, readRules, ruleExists, type Settings } from '../store/rules.ts';
import { type PeopleById, peopleById } from './people.ts';

/** What a change of the approval settings would make of them; nothing is written here. */

export interface Surroundings {
  settings: Settings;
  rules: readonly RuleRow[];
  people: PeopleById;
  roles: RoleNames;
}

export type RoleNames = Awaited<ReturnType<typeof findRoleNames>>;

/** A rule with names instead of ids. */
type ShownRule = Pick<ApprovalRule, 'name' | 'lower' | 'upper' | 'nodes' | 'active'>;

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

export async function readSurroundings(tx: Tx, settings: Settings): Promise<Surroundings> {
  return { settings, rules: await readRules(tx), people: await peopleById(tx), roles: await findRoleNames(tx) };
}

/**
 * Checks a change against the settings as they are, and returns the settings that it would make.
 * @throws DomainError approverExists, idTaken, notFound, reviewChanged, tooManyRules
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
  { people, roles }: Surroundings,
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
    nodes: rule.nodes.map((node) => ({
      needed: node.needed,
      people: idsOf(node.approvers, 'person'),
      roles: idsOf(node.approvers, 'role'),
    })),
    active: rule.active,
  };
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
  { people, roles }: { people: ReadonlyMap<string, { name: string }>; roles: ReadonlyMap<string, { name: string }> },
): ShownRule {
  return {
    name: rule.name,
    lower: formatAmount(rule.lowerCents, 2),
    upper: rule.upperCents === null ? null : formatAmount(rule.upperCents, 2),
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

export function showApprover(
  kind: Approver['kind'],
  id: string,
  named: ReadonlyMap<string, { name: string }>,
): ShownRule['nodes'][number]['approvers'][number] {
  const found = named.get(id);
  return { kind, id, name: found?.name ?? '', gone: found === undefined };
}
