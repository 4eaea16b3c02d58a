import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { canBePassed, type SealedNode, start } from '../domain.ts';
import { readRouting, readRuleVersion, readSettings } from '../store/rules.ts';
import { insertTask, lockTaskOf, readTasks } from '../store/tasks.ts';
import { peopleById } from './core.ts';
import { close } from './ending.ts';
import { tellApprovers } from './telling.ts';

/** What the submission of a transfer needs of approvals. */

/** Which chain a transfer must pass; the initiator's authorisation seals it, and the signer holds to it. */
export type Routing = { review: 'off' } | RequiredReview;

export interface RequiredReview {
  review: 'required';
  taskId: string;
  ruleId: string;
  ruleVersion: number;
  nodes: readonly SealedNode[];
}

/** Whether a company reviews, and by which rule a transfer of some value. */
export type Route = Awaited<ReturnType<typeof readRouting>>;

/** The first active rule with lower ≤ value < upper (US cents); read at once, decided on by `routeTransfer`. */
export function findRoute(tx: Tx, valueUsdCents: bigint): Promise<Route> {
  return readRouting(tx, valueUsdCents);
}

/**
 * Which chain a transfer must pass.
 * @throws DomainError approvalNoRule when review is on and no rule covers the value, approvalNobodyCan when the chain could
 * not be passed by the people as they are
 */
export async function routeTransfer(
  tx: Tx,
  { enabled, rule, forbidsGrantees, readAt }: Route,
  request: { initiatorId: string; valueUsdCents: bigint; taskId: string },
): Promise<Routing> {
  if (!enabled) return { review: 'off' };
  if (!rule) throw new DomainError('approvalNoRule');
  const { initiatorId, valueUsdCents: valueCents } = request;
  const chain = { initiatorId, nodes: rule.nodes, valueCents, forbidsGrantees, now: readAt };
  if (!canBePassed(chain, start, await peopleById(tx))) throw new DomainError('approvalNobodyCan');
  const { id: ruleId, version: ruleVersion, nodes } = rule;
  return { review: 'required', taskId: request.taskId, ruleId, ruleVersion, nodes };
}

/** A transfer that is to be approved, as it was submitted. */
export interface NewTask {
  kind: 'transfer';
  /** The transaction. */
  subjectId: string;
  /** SHA-256, hex: `ApprovalSubject.digest` must answer the same for as long as nothing has changed. */
  digest: string;
  routing: RequiredReview;
  initiator: { id: string; name: string };
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  feeMinor: bigint;
  valueUsdCents: bigint;
  payeeName: string;
  payeeAccount: string;
  chainName: string | null;
  notes: string;
  attachments: readonly StoredFile[];
}

/** Writes the task with its snapshot of rule and content, and tells the first approvers. */
export async function openTask(tx: Tx, task: NewTask): Promise<void> {
  const { routing, initiator } = task;
  const people = await peopleById(tx);
  const settings = await readSettings(tx);
  const rule = await readRuleVersion(tx, routing.ruleId, routing.ruleVersion);
  invariant(rule, 'a transfer is routed by a version of a rule');
  const { payeeName, payeeAccount, chainName, notes, attachments } = task;
  await insertTask(tx, {
    id: routing.taskId,
    kind: task.kind,
    subjectId: task.subjectId,
    digest: task.digest,
    content: {
      kind: 'transfer',
      payeeName,
      payeeAccount,
      chainName,
      feeMinor: task.feeMinor.toString(),
      notes,
      attachments,
      ruleName: rule.name,
    },
    coin: task.coin,
    decimals: task.decimals,
    amountMinor: task.quantityMinor,
    valueCents: task.valueUsdCents,
    initiatorId: initiator.id,
    initiatorName: initiator.name,
    applicant: initiator.name,
    department: people.get(initiator.id)?.departmentName ?? null,
    ruleId: routing.ruleId,
    ruleVersion: routing.ruleVersion,
    nodes: routing.nodes.map((node) => ({ ...node })),
    expiryDays: settings.expiryDays,
    reminderHours: settings.reminderHours,
    search: [payeeName, payeeAccount, initiator.name, notes, rule.name].join('\n'),
  });
  const [row] = await readTasks(tx, [routing.taskId]);
  invariant(row, 'a task that was written is there');
  await tellApprovers(tx, row, { people, decisions: [] });
  await announce(tx, [live('approval', routing.taskId)]);
}

/**
 * Takes a task back: the initiator cancels the transfer, or the system stops it. Locks the task's row, so it comes before the
 * lock of the transaction; `ApprovalSubject.ended` is not called, since the caller ends the subject.
 * @returns false when it was decided or ended already; true as well when there never was a task
 */
export async function withdrawTask(
  tx: Tx,
  kind: 'transfer',
  subjectId: string,
  end: { end: Extract<ApprovalEnd, 'withdrawn' | 'stopped' | 'voided'>; reason: string },
): Promise<boolean> {
  const task = await lockTaskOf(tx, kind, subjectId);
  if (!task) return true;
  if (task.status !== 'pending') return false;
  await close(tx, task, end.end, end.reason);
  return true;
}
