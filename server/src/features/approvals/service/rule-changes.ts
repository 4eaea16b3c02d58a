import type { ReviewChange } from '@causeway/contract/approvals.ts';
import type { ReviewLogAction } from '@causeway/contract/approvals-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { type Actor, audit } from '../../../platform/audit/record.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import { tellRuleManagers } from '../../notices/index.ts';
import { findPeople, holdAffiliations } from '../../organisation/index.ts';
import {
  deleteRule,
  insertLog,
  lockSettings,
  readSettings,
  writeOrder,
  writeRule,
  writeSettings,
} from '../store/rules.ts';
import { lockTasks, readDecisions, readPendingTasks, readTasks, type TaskSnapshot } from '../store/tasks.ts';
import { linesOfChange } from './change-lines.ts';
import { namedInChange, planChange, readSurroundings, type ShownChange, type Surroundings } from './draft-settings.ts';
import { endUnapproved } from './end-task.ts';
import { changeName } from './names.ts';
import { refuseNewcomers } from './second-person.ts';
import type { ApprovalSubject, SubjectKind } from './subjects.ts';

/** A change of the approval rules as something that is approved, and how it is written. */

/** What its task keeps. */
export interface RuleChangeContent {
  change: ReviewChange;
  /** The settings' version that it was made against. */
  baseVersion: number;
  /** With the names of the time of the proposal. */
  shown: ShownChange;
  /** '' where it is about no single rule. */
  ruleName: string;
}

export const ruleChange: SubjectKind = {
  kind: 'rule_change',
  shape: 'change',
  adoptable: false,
  changesControls: true,
  auditKind: 'task',
  notices: 'review',
  locks: ['settings'],
  initiation: 'signed-in',
  name(task, locale: Locale) {
    const { change, ruleName } = contentOf(task);
    return changeName(change.kind, ruleName, locale);
  },
  noticeValues(task) {
    const { change, ruleName } = contentOf(task);
    return { change: { text: `approvals.change.${change.kind}` }, named: ruleName === '' ? 0 : 1, rule: ruleName };
  },
  brief: () => ({ party: null, facts: [] }),
};

export const ruleChanges = (clock: Clock): ApprovalSubject => ({
  ...ruleChange,
  async content(_tx, task, reading) {
    return { shape: 'change', ...linesOfChange(contentOf(task).shown, reading) };
  },
  link: () => null,
  auditDetail(task) {
    const { change, ruleName } = contentOf(task);
    return { name: ruleName, kind: change.kind };
  },
  async digest(tx, id) {
    const { task, content } = await proposal(tx, id);
    const { version } = await readSettings(tx);
    return version === content.baseVersion ? task.digest : null;
  },
  async recheck(tx, id) {
    const { task, content } = await proposal(tx, id);
    const [proposer] = await findPeople(tx, [task.initiatorId]);
    // The change would be made in the name of a person who has lost the right.
    if (!proposer?.permissions.includes('rule.manage')) return { reason: 'approvals.reason.proposerLeft' };
    try {
      await planChange(tx, content.change, await readSurroundings(tx, await readSettings(tx), content.change));
      return null;
    } catch (error) {
      // An approver whom it names has been deleted since.
      if (error instanceof DomainError) return { reason: 'approvals.reason.impossible' };
      throw error;
    }
  },
  async approved(tx, id) {
    const { task, content } = await proposal(tx, id);
    const settings = await lockSettings(tx);
    const agreed = (await readDecisions(tx, [id])).map(({ approverId }) => approverId);
    await refuseNewcomers(tx, 'rule.manage', [task.initiatorId, ...agreed], clock.now());
    // Another change was quicker by the time this one had the lock.
    if (settings.version !== content.baseVersion) throw new DomainError('approvalVoided', { task: content.ruleName });
    const by = { id: task.initiatorId, name: task.initiatorName };
    const actor: Actor = { kind: 'user', id: task.initiatorId };
    await holdAffiliations(tx, namedInChange(content.change));
    const surroundings = await readSurroundings(tx, settings, content.change);
    await applyRuleChange(tx, content.change, surroundings, { actor, by, taskId: id });
  },
  async ended(tx, id, { outcome, by }) {
    const { content } = await proposal(tx, id);
    await logEnd(tx, id, content, outcome, by);
  },
  async withdrawn(tx, context, task) {
    const { userId: id, userName: name } = context.session;
    await logEnd(tx, task.id, contentOf(task), 'withdrawn', { id, name });
    await audit(tx, {
      actor: actorOf(context),
      action: 'approvals.withdraw',
      subjectKind: 'task',
      subjectId: task.id,
      detail: this.auditDetail(task),
    });
    return null;
  },
});

async function logEnd(
  tx: Tx,
  taskId: string,
  { shown, ruleName }: RuleChangeContent,
  outcome: string,
  actor: { id: string; name: string } | null,
): Promise<void> {
  await insertLog(tx, { actor, action: 'changeEnded', detail: { shown, ruleName, outcome }, taskId });
}

/** In whose name a change is written. */
interface Applied {
  actor: Actor;
  by: { id: string; name: string };
  /** The task through which it was approved. */
  taskId: string | null;
}

const actions = {
  add: { log: 'ruleAdded', action: 'approvals.addRule' },
  change: { log: 'ruleChanged', action: 'approvals.changeRule' },
  delete: { log: 'ruleDeleted', action: 'approvals.deleteRule' },
  order: { log: 'rulesOrdered', action: 'approvals.orderRules' },
  on: { log: 'reviewEnabled', action: 'approvals.enableReview' },
  off: { log: 'reviewDisabled', action: 'approvals.disableReview' },
} as const satisfies Record<string, { log: ReviewLogAction; action: string }>;

/** Writes a change under the lock of the settings, and voids the proposals that were made against what was before. */
export async function applyRuleChange(
  tx: Tx,
  change: ReviewChange,
  surroundings: Surroundings,
  how: Applied,
): Promise<void> {
  const { settings, rules } = surroundings;
  const plan = await planChange(tx, change, surroundings);
  if (change.kind === 'add' || change.kind === 'change') {
    const rule = plan.rules.find(({ id }) => id === change.id);
    invariant(rule, 'a written rule is among the rules');
    const last = rules.at(-1)?.position ?? 0;
    await writeRule(tx, rule, last + 1, how.by);
  }
  if (change.kind === 'delete') await deleteRule(tx, change.id);
  if (change.kind === 'order') await writeOrder(tx, change.ids);
  await writeSettings(tx, { ...settings, enabled: plan.enabled, version: settings.version + 1 });

  const switched = plan.enabled ? actions.on : actions.off;
  const { log, action } = change.kind === 'switch' ? switched : actions[change.kind];
  const { shown, ruleName } = plan;
  await insertLog(tx, { actor: how.by, action: log, detail: { shown, ruleName }, taskId: how.taskId });
  const aboutRule = change.kind === 'add' || change.kind === 'change' || change.kind === 'delete';
  await audit(tx, {
    actor: how.actor,
    action,
    subjectKind: aboutRule ? 'rule' : 'setting',
    subjectId: aboutRule ? change.id : 'review',
    detail: { ...detailOf(shown), ...(how.taskId === null ? {} : { taskId: how.taskId }) },
  });
  if (change.kind === 'switch') {
    await tellRuleManagers(tx, plan.enabled ? 'reviewOn' : 'reviewOff', { by: how.by.name, link: '/app/risk-setting' });
  }
  await voidRuleChanges(tx);
  await announce(tx, [live('control')]);
}

/** What was and what is, as the audit log reads it. */
export function detailOf({ before, after }: ShownChange): { before: object; after: object } {
  const side = ({ rule, order, enabled }: ShownChange['before']) => ({
    ...(rule && { name: rule.name, lowerUsd: rule.lower, upperUsd: rule.upper, active: rule.active }),
    ...(rule?.submittedBy && { submittedBy: rule.submittedBy.map(({ name }) => name) }),
    ...(rule && {
      nodes: rule.nodes.map(({ needed, approvers }) => ({ needed, approvers: approvers.map(({ name }) => name) })),
    }),
    ...(order && { order }),
    ...(enabled !== null && { enabled }),
  });
  return { before: side(before), after: side(after) };
}

/** Voids the proposals that were made against the settings as they were before a change. */
async function voidRuleChanges(tx: Tx): Promise<void> {
  const subjects = new Map([[ruleChange.kind, ruleChanges(systemClock)]]);
  const pending = await readPendingTasks(tx, ruleChange.kind);
  const locked = await lockTasks(
    tx,
    pending.map(({ id }) => id),
  );
  for (const task of locked.filter(({ status }) => status === 'pending')) {
    await endUnapproved(tx, subjects, task, {
      outcome: 'voided',
      by: null,
      reason: 'approvals.reason.settingsChanged',
    });
  }
}

async function proposal(tx: Tx, id: string) {
  const [task] = await readTasks(tx, [id]);
  invariant(task?.kind === ruleChange.kind, `task ${id} is a change of rules`);
  return { task, content: contentOf(task) };
}

/** As `openProposal` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): RuleChangeContent {
  return content as RuleChangeContent;
}
