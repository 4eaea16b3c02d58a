import type {
  checkReviewChange,
  Finding,
  getReviewSetting,
  listApprovers,
  listReviewLogs,
} from '@causeway/contract/approvals.ts';
import { type ReviewLogAction, reviewLogActions } from '@causeway/contract/approvals-rules.ts';
import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Called, findDepartmentPaths, findRuleHold } from '../../organisation/index.ts';
import type { Rule } from '../domain.ts';
import { type Found, findAll } from '../findings.ts';
import { type LogRow, logList } from '../store/lists.ts';
import { countPendingByRule, readRules, readSettings } from '../store/rules.ts';
import { readPendingTasks } from '../store/tasks.ts';
import { linesOfChange } from './change-lines.ts';
import { planChange, readCalled, type ShownChange, sayGone, showRule } from './draft-settings.ts';
import { changeName, joinNames, nameOf, sayRange } from './names.ts';
import { viewingOf } from './reading.ts';
import { ruleChange } from './rule-changes.ts';
import { modeOf } from './second-person.ts';
import type { SubjectsContext } from './subjects.ts';
import type { Viewing } from './view.ts';

/** How the approval settings are shown: the rules, what is found about them, who may be named, the log. */

export async function getSettings(
  tx: Tx,
  context: SubjectsContext,
  { keyword }: Query<typeof getReviewSetting>,
): Promise<OutputInput<typeof getReviewSetting>> {
  const viewing = await viewingOf(tx, context);
  const { people, roles, locale } = viewing;
  const now = context.clock.now();
  const settings = await readSettings(tx);
  const hold = await findRuleHold(tx, now);
  const { userId: initiatorId } = context.session;
  const mode = await modeOf(tx, { initiatorId, permission: 'rule.manage', concerned: [] }, now);
  const rules = await readRules(tx);
  const called = await readCalled(tx, rules, undefined, locale);
  const pending = await countPendingByRule(tx);
  const proposals = await readPendingTasks(tx, ruleChange.kind);
  const sought = keyword?.trim().toLowerCase() ?? '';
  const shown = rules.map((rule, index) => ({
    ...sayGone(showRule(rule, { people, roles, called }), locale),
    id: rule.id,
    version: rule.version,
    position: index + 1,
    changedAt: rule.changedAt.toISOString(),
    changedBy: rule.changedBy,
    pendingTasks: pending.get(rule.id) ?? 0,
  }));
  const { enabled, expiryDays, reminderHours, version } = settings;
  return {
    enabled,
    expiryDays,
    reminderHours,
    version,
    dualControl: mode.kind !== 'applies' || !mode.alone,
    heldUntil: hold.until?.toISOString() ?? null,
    proposals: proposals.map((task) => ({
      taskId: task.id,
      name: ruleChange.name(task, locale),
      by: task.initiatorName,
      at: task.startedAt.toISOString(),
      effectiveAt: task.effectiveAt?.toISOString() ?? null,
    })),
    rules: shown.filter(({ name }) => name.toLowerCase().includes(sought)),
    findings: sayFindings(
      findAll({
        rules,
        enabled,
        people,
        departments: await findDepartmentPaths(tx),
        initiating: initiatingOf(context),
        roles,
      }),
      rules,
      { ...viewing, called },
    ),
  };
}

/** What would be found after a change. @throws DomainError those of `planChange` */
export async function checkChange(
  tx: Tx,
  context: SubjectsContext,
  { change }: Body<typeof checkReviewChange>,
): Promise<OutputInput<typeof checkReviewChange>> {
  const viewing = await viewingOf(tx, context);
  const { people, roles } = viewing;
  const before = await readRules(tx);
  const called = await readCalled(tx, before, change, viewing.locale);
  const surroundings = { settings: await readSettings(tx), rules: before, people, roles, called };
  const { rules, enabled } = await planChange(tx, change, surroundings);
  return {
    findings: sayFindings(
      findAll({
        rules,
        enabled,
        people,
        departments: await findDepartmentPaths(tx),
        initiating: initiatingOf(context),
        roles,
      }),
      rules,
      { ...viewing, called },
    ),
  };
}

/** What a person needs to apply for one of the things that rules are about. */
function initiatingOf({ subjects }: SubjectsContext): Permission[] {
  return [...subjects.values()].flatMap(({ initiation }) => (initiation === 'signed-in' ? [] : [initiation]));
}

/** With the names of those for whom the rules are. */
type Naming = Viewing & { called: ReadonlyMap<string, Called> };

function sayFindings(found: readonly Found[], rules: readonly Rule[], viewing: Naming): Finding[] {
  return found.map((each) => ({
    kind: each.kind,
    severity: each.severity,
    text: sayFinding(each, rules, viewing),
    ruleId: each.rule?.id ?? null,
    ruleName: each.rule?.name ?? null,
    node: each.node === null ? null : each.node + 1,
    lower: each.range ? formatAmount(each.range.lower, 2) : null,
    upper: each.range?.upper == null ? null : formatAmount(each.range.upper, 2),
  }));
}

function sayFinding({ kind, rule, node, range, about }: Found, rules: readonly Rule[], viewing: Naming): string {
  const { people, roles, called, locale } = viewing;
  const values = {
    rule: rule?.name ?? '',
    node: (node ?? 0) + 1,
    range: range ? sayRange(range, locale) : '',
    other: rules.find(({ id }) => id === about.rule)?.name ?? '',
    approver:
      about.person === undefined ? nameOf(roles, about.role ?? '', locale) : nameOf(people, about.person, locale),
    submitter: about.submitter ? nameOf(called, about.submitter.id, locale) : '',
    people: joinNames(
      (about.initiators ?? []).map((id) => nameOf(people, id, locale)),
      locale,
    ),
  };
  return translate(locale, `approvals.finding.${sentenceOf(kind, about)}`, values);
}

function sentenceOf(kind: Found['kind'], { initiators, others }: Found['about']): string {
  if (kind === 'nobodyCanApprove' && initiators) return 'ownCannotBeApproved';
  if (kind === 'gap' && initiators) return 'gapForSome';
  return kind === 'gap' && others ? 'gapForOthers' : kind;
}

export async function getApprovers(tx: Tx, context: SignedInContext): Promise<OutputInput<typeof listApprovers>> {
  const { people, roles } = await viewingOf(tx, context);
  const all = [...people.values()];
  const mayDecide = (person: (typeof all)[number]) =>
    person.status === 'active' && person.permissions.includes('approval.decide');
  return {
    people: all.map((person) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      roleName: person.roleName,
      departmentName: person.departmentName,
      status: person.status,
      onLeave: person.onLeave,
      deputyName: person.deputyId === null ? null : (people.get(person.deputyId)?.name ?? null),
      quotaUsd: person.quotaUsd,
      mayDecide: mayDecide(person),
      approves: roles.get(person.roleId)?.approves ?? false,
    })),
    roles: [...roles].map(([id, { name, active, quotaUsd, approves }]) => ({
      id,
      name,
      active,
      quotaUsd,
      approves,
      members: all.filter((person) => person.roleId === id && mayDecide(person)).length,
    })),
  };
}

/** @throws DomainError cursorInvalid */
export async function listLogs(
  tx: Tx,
  context: SignedInContext,
  query: Query<typeof listReviewLogs>,
): Promise<OutputInput<typeof listReviewLogs>> {
  const viewing = await viewingOf(tx, context);
  const page = await readPage(tx, logList, query, undefined);
  return { ...page, items: page.items.map((row) => asLog(row, viewing)) };
}

function asLog(row: LogRow, viewing: Viewing): OutputInput<typeof listReviewLogs>['items'][number] {
  const action = actionOf(row.action);
  // As `insertLog` was given it.
  const { shown, ruleName } = row.detail as { shown?: ShownChange; ruleName?: string };
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actorName,
    action,
    text: sayLog(action, row.detail, shown, ruleName ?? '', viewing.locale),
    change: shown ? linesOfChange(shown, viewing) : null,
    taskId: row.taskId,
  };
}

function actionOf(text: string): ReviewLogAction {
  const action = reviewLogActions.find((known) => known === text);
  invariant(action, `${text} is an action of the log`);
  return action;
}

function sayLog(
  action: ReviewLogAction,
  detail: Record<string, unknown>,
  shown: ShownChange | undefined,
  rule: string,
  locale: Locale,
): string {
  const change = shown ? changeName(shown.kind, rule, locale) : '';
  const { after, outcome } = detail as { after?: { expiryDays: number; reminderHours: number }; outcome?: string };
  const end = outcome === undefined ? '' : translate(locale, `approvals.end.${outcome}`);
  const { expiryDays: days = 0, reminderHours: hours = 0 } = after ?? {};
  return translate(locale, `approvals.log.${action}`, { rule, change, end, days, hours });
}
