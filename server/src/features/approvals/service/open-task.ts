import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { ableNow, type Chain, canBePassed, type SealedNode, start } from '../domain.ts';
import { type Route, type RouteRequest, readRoute, readRoutes } from '../store/opening.ts';
import { lockTaskOf } from '../store/tasks.ts';
import { submitterIn } from '../submitters.ts';
import { close } from './end-task.ts';
import { noticeOf } from './notify.ts';
import { byId } from './people.ts';
import type { SubjectKind } from './subjects.ts';
import { type TaskWithNotice, writeTasks } from './write-tasks.ts';

/** How applications become tasks: one statement reads, beside what their submissions read; others write, with the commit. */

export { type Route, type RouteRequest, readRoute, readRoutes };

/** Which chain an application must pass; the initiator's authorisation seals it, and the signer holds to it. */
export type Routing = { review: 'off' } | RequiredReview;

export interface RequiredReview {
  review: 'required';
  taskId: string;
  ruleId: string;
  ruleVersion: number;
  nodes: readonly SealedNode[];
  /** By what the task is opened. */
  route: RouteByRule;
}

/** A route on which a rule was found. */
type RouteByRule = Route & { rule: NonNullable<Route['rule']> };

/**
 * Decides by a route that was read which chain must be passed.
 * @throws DomainError approvalNoRule when review is on and no rule covers the value, approvalNobodyCan when the chain could
 * not be passed by the people as they are
 */
export function requireReview(
  route: Route,
  request: { initiatorId: string; valueUsdCents: bigint; taskId: string },
): Routing {
  const { enabled, rule } = route;
  if (!enabled) return { review: 'off' };
  if (!rule) throw new DomainError('approvalNoRule');
  const byRule = { ...route, rule };
  if (!canBePassed(chainOn(byRule, request), start, byId(route.people))) throw new DomainError('approvalNobodyCan');
  const { id: ruleId, version: ruleVersion, nodes } = rule;
  return { review: 'required', taskId: request.taskId, ruleId, ruleVersion, nodes, route: byRule };
}

function chainOn(
  { rule, forbidsGrantees, readAt }: RouteByRule,
  { initiatorId, valueUsdCents }: { initiatorId: string; valueUsdCents: bigint },
): Chain {
  return { initiatorId, nodes: rule.nodes, valueCents: valueUsdCents, forbidsGrantees, now: readAt };
}

/** What is to be approved, as it was submitted. */
export interface NewTask {
  subjectId: string;
  /** SHA-256, hex: `ApprovalSubject.digest` must return the same for as long as nothing has changed. */
  digest: string;
  routing: RequiredReview;
  initiator: { id: string; name: string };
  /** Null where it has amounts of several, or none. */
  coin: string | null;
  decimals: number | null;
  amountMinor: bigint | null;
  valueUsdCents: bigint;
  /** What its subject shows of it later, as JSON. */
  content: Readonly<Record<string, unknown>>;
  /** Texts by which a search finds it, beside the names of initiator and rule. */
  search: readonly string[];
}

/** As `openTasks`, in the transaction's company. */
export async function openTask(tx: Tx, subject: SubjectKind, task: NewTask): Promise<void> {
  await together(openTasks(tx, [{ companyId: tx.companyId, subject, task }]));
}

/**
 * Issues the statements that write tasks with their snapshots of rule and content and notify the first approvers, each in its
 * company: for the commit.
 */
export function openTasks(
  tx: CompaniesTx,
  tasks: readonly { companyId: string; subject: SubjectKind; task: NewTask }[],
): Promise<unknown>[] {
  return writeTasks(
    tx,
    tasks.map(({ companyId, subject, task }) => withNotice(companyId, subject, task)),
  );
}

function withNotice(
  companyId: string,
  subject: SubjectKind,
  { routing, initiator, valueUsdCents, search, ...submitted }: NewTask,
): TaskWithNotice {
  const { route, taskId, ruleId, ruleVersion } = routing;
  const { expiryDays, reminderHours } = route;
  const { kind, adoptable, changesControls } = subject;
  const people = byId(route.people);
  const task = {
    ...submitted,
    companyId,
    id: taskId,
    kind,
    adoptable,
    changesControls,
    valueCents: valueUsdCents,
    initiatorId: initiator.id,
    initiatorName: initiator.name,
    department: people.get(initiator.id)?.departmentName ?? null,
    ruleId,
    ruleVersion,
    ruleSubmitter: route.rule.submitters
      ? submitterIn(route.rule.submitters, { id: initiator.id, ...route.affiliation })
      : null,
    nodes: routing.nodes.map((node) => ({ ...node })),
    effectiveAt: null,
    expiryDays,
    reminderHours,
    search: [...search, initiator.name, route.rule.name],
  };
  const chain = chainOn(route, { initiatorId: initiator.id, valueUsdCents });
  const to = ableNow(chain, start, people).map(({ actor }) => actor.id);
  return { subject, task, notice: noticeOf(subject, task, 'Waiting', to) };
}

/**
 * Takes a task back: the initiator cancels what it is about, or the system stops it. Locks the task's row, so it comes before the
 * lock of the subject; `ApprovalSubject.ended` is not called, since the caller ends the subject.
 * @returns false when it was decided or ended already; true as well when there never was a task
 */
export async function withdrawTask(
  tx: Tx,
  kind: string,
  subjectId: string,
  end: { end: Extract<ApprovalEnd, 'withdrawn' | 'stopped' | 'voided'>; reason: string },
): Promise<boolean> {
  const task = await lockTaskOf(tx, kind, subjectId);
  if (!task) return true;
  if (task.status !== 'pending') return false;
  await close(tx, task, end.end, end.reason);
  return true;
}
