import type {
  ReviewChange,
  ReviewChangeContent,
  reviewContent,
  setReviewEnabled,
} from '@causeway/contract/approvals.ts';
import type { ReviewLogAction } from '@causeway/contract/approvals-rules.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type * as z from 'zod/mini';
import { type Actor, audit } from '../../../platform/audit.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { tellRuleManagers } from '../../notices/index.ts';
import { appliedNow, findPeople } from '../../organisation/index.ts';
import { sha256Hex } from '../domain.ts';
import {
  deleteRule,
  insertLog,
  lockSettings,
  readSettings,
  writeOrder,
  writeRule,
  writeSettings,
} from '../store/rules.ts';
import { type ChangeContent, lockTasks, readDecisions, readPendingTasks, readTasks } from '../store/tasks.ts';
import { planChange, readSurroundings, type Surroundings } from './changing.ts';
import { controlSubject } from './control.ts';
import type { ApprovalSubject, ApprovalSubjects, ApprovalsCore, Controls } from './core.ts';
import { endUnapproved } from './ending.ts';
import { openProposal } from './proposing.ts';
import { held, type Mode, modeOf, refuseNewcomers } from './second-person.ts';

/**
 * Changes of the approval settings. As soon as two people may manage rules, none of them changes any alone: a change becomes a
 * task that another must approve, and takes effect with that. Where no other can, it waits (docs/FOUR_EYES.md).
 */

type Changed = OutputInput<typeof setReviewEnabled>;

/**
 * Makes a change, or proposes it. `version` is that of the settings which the person saw.
 * @throws DomainError reviewChanged, approvalNobodyCan, approvalRulesHeld, and those of `planChange`
 */
export function changeReview(
  { database, clock = systemClock }: ApprovalsCore,
  context: SignedInContext,
  version: number,
  change: ReviewChange,
): Promise<Changed> {
  return database.withCompany(context.session.companyId, (tx) =>
    changeIn(tx, context, version, { change, now: clock.now() }),
  );
}

/**
 * Switches review on or off, or proposes it, with a code.
 * @throws RememberedError codeWrong, codeBurnt, transferCodeMismatch; DomainError mfaNotBound, approvalNobodyCan, approvalRulesHeld
 */
export function switchReview(
  { database, verifyCode, clock = systemClock }: ApprovalsCore,
  context: SignedInContext,
  { enabled, codeMethod, code }: Body<typeof setReviewEnabled>,
): Promise<Changed> {
  const { session } = context;
  return database.withCompany(session.companyId, async (tx) => {
    const { version } = await readSettings(tx);
    const digest = reviewDigest(session.companyId, { enabled }, version);
    await verifyCode(tx, { session, method: codeMethod, code, digest });
    return changeIn(tx, context, version, { change: { kind: 'switch', enabled }, now: clock.now() });
  });
}

/** What the code of a switch is bound to: the company, the direction, and the settings as they were. */
export function reviewDigest(companyId: string, { enabled }: z.output<typeof reviewContent>, version: number): string {
  return sha256Hex(['causeway.review.1', companyId, enabled, version]);
}

async function changeIn(
  tx: Tx,
  context: SignedInContext,
  version: number,
  { change, now }: { change: ReviewChange; now: Date },
): Promise<Changed> {
  const settings = await lockSettings(tx);
  if (settings.version !== version) throw new DomainError('reviewChanged');
  if (change.kind === 'switch' && change.enabled === settings.enabled) return appliedNow;
  const surroundings = await readSurroundings(tx, settings);
  const mode = await modeOfChange(tx, context, change, now);
  if (mode.kind !== 'applies') {
    const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt : null;
    const taskId = await propose(tx, context, change, { surroundings, effectiveAt });
    return { applied: false, taskId, effectiveAt: effectiveAt?.toISOString() ?? null };
  }
  const { userId: id, userName: name } = context.session;
  await apply(tx, change, surroundings, { actor: actorOf(context), by: { id, name }, taskId: null });
  return appliedNow;
}

/** @throws DomainError approvalNobodyCan, approvalRulesHeld */
async function modeOfChange(
  tx: Tx,
  { session }: SignedInContext,
  change: ReviewChange,
  now: Date,
): Promise<Exclude<Mode, { kind: 'held' }>> {
  // Switching review on only narrows, so it needs no second person.
  if (change.kind === 'switch' && change.enabled) return { kind: 'applies', alone: true };
  const mode = await modeOf(tx, { initiatorId: session.userId, permission: 'rule.manage', concerned: [] }, now);
  if (mode.kind === 'held') throw held(mode.hold);
  // Two may manage rules, and the other may not approve.
  if (mode.kind === 'applies' && !mode.alone) throw new DomainError('approvalNobodyCan');
  return mode;
}

async function propose(
  tx: Tx,
  context: SignedInContext,
  change: ReviewChange,
  { surroundings, effectiveAt }: { surroundings: Surroundings; effectiveAt: Date | null },
): Promise<string> {
  const { session } = context;
  const { settings } = surroundings;
  const { shown, ruleName } = await planChange(tx, change, surroundings);
  const id = newId();
  await openProposal(tx, context, {
    id,
    digest: changeDigest(session.companyId, change, settings.version),
    content: { kind: 'rule_change', change, baseVersion: settings.version, shown, ruleName },
    permission: 'rule.manage',
    concerned: [],
    effectiveAt,
    search: [ruleName],
  });
  const actor = { id: session.userId, name: session.userName };
  await insertLog(tx, { actor, action: 'changeProposed', detail: { shown, ruleName }, taskId: id });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.propose',
    subjectKind: 'task',
    subjectId: id,
    detail: { name: ruleName, kind: change.kind, ...detailOf(shown) },
  });
  return id;
}

function changeDigest(companyId: string, change: ReviewChange, baseVersion: number): string {
  return sha256Hex(['causeway.reviewChange.1', companyId, baseVersion, change]);
}

interface Applying {
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
async function apply(tx: Tx, change: ReviewChange, surroundings: Surroundings, how: Applying): Promise<void> {
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
  await voidProposals(tx);
  await announce(tx, [live('control')]);
}

/** What was and what is, as the audit log reads it. */
function detailOf({ before, after }: ReviewChangeContent): { before: object; after: object } {
  const side = ({ rule, order, enabled }: ReviewChangeContent['before']) => ({
    ...(rule && { name: rule.name, lowerUsd: rule.lower, upperUsd: rule.upper, active: rule.active }),
    ...(rule && {
      nodes: rule.nodes.map(({ needed, approvers }) => ({ needed, approvers: approvers.map(({ name }) => name) })),
    }),
    ...(order && { order }),
    ...(enabled !== null && { enabled }),
  });
  return { before: side(before), after: side(after) };
}

async function voidProposals(tx: Tx): Promise<void> {
  const pending = await readPendingTasks(tx, 'rule_change');
  const locked = await lockTasks(
    tx,
    pending.map(({ id }) => id),
  );
  for (const task of locked.filter(({ status }) => status === 'pending')) {
    await endUnapproved(tx, { rule_change: reviewSubject(systemClock) }, task, {
      outcome: 'voided',
      by: null,
      reason: 'approvals.reason.settingsChanged',
    });
  }
}

/** A change of the settings as something that is approved. */
const reviewSubject = (clock: Clock): ApprovalSubject => ({
  async digest(tx, id) {
    const { task, content } = await proposal(tx, id);
    const { version } = await readSettings(tx);
    return version === content.baseVersion ? task.digest : null;
  },
  async evidence() {
    return null;
  },
  async recheck(tx, id) {
    const { task, content } = await proposal(tx, id);
    const [proposer] = await findPeople(tx, [task.initiatorId]);
    // The change would be made in the name of a person who has lost the right.
    if (!proposer?.permissions.includes('rule.manage')) return { reason: 'approvals.reason.proposerLeft' };
    try {
      await planChange(tx, content.change, await readSurroundings(tx, await readSettings(tx)));
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
    await apply(tx, content.change, await readSurroundings(tx, settings), { actor, by, taskId: id });
  },
  async ended(tx, id, { outcome, by }) {
    const { content } = await proposal(tx, id);
    const { shown, ruleName } = content;
    await insertLog(tx, { actor: by, action: 'changeEnded', detail: { shown, ruleName, outcome }, taskId: id });
  },
});

async function proposal(tx: Tx, id: string) {
  const [task] = await readTasks(tx, [id]);
  invariant(task?.content.kind === 'rule_change', `task ${id} is a change of rules`);
  return { task, content: task.content as ChangeContent };
}

/** The subjects of the right, and those of approvals' own; `controls` where changes of them are made. */
export function withReview(subjects: ApprovalSubjects, clock: Clock, controls: Controls): ApprovalSubjects {
  return { ...subjects, rule_change: reviewSubject(clock), control_change: controlSubject(controls, clock) };
}
