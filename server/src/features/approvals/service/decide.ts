import type { DecisionContent, decideApprovals } from '@causeway/contract/approvals.ts';
import type { ApprovalObstacle } from '@causeway/contract/approvals-rules.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { ErrorKey } from '@causeway/contract/errors.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { lockOrganisation, type Person } from '../../organisation/index.ts';
import { holdFreezes } from '../../wallets/index.ts';
import { advance, decisionDigest, grantedByInitiatorAt, judge } from '../domain.ts';
import { lockSettings, readSettings } from '../store/rules.ts';
import {
  type DecisionRow,
  insertDecision,
  lockMember,
  lockTasks,
  moveTask,
  readDecisions,
  readKinds,
  readTasks,
  type TaskRow,
} from '../store/tasks.ts';
import { chainOf, progressOf } from './chain.ts';
import { endApproved, endUnapproved } from './end-task.ts';
import { sayReason, taskName } from './names.ts';
import { tellApprovers } from './notify.ts';
import { type PeopleById, peopleById } from './people.ts';
import { type ApprovalSubjects, type ApprovalsContext, type ApprovalsPorts, subjectOf } from './subjects.ts';

type Answer = OutputInput<typeof decideApprovals>;
type Request = Body<typeof decideApprovals>;

const errorOf: Record<ApprovalObstacle, ErrorKey> = {
  ended: 'approvalNotPending',
  own: 'approvalOwn',
  noPermission: 'noPermission',
  notApprover: 'approvalNotApprover',
  notYet: 'approvalNotApprover',
  deputyDecides: 'approvalNotApprover',
  alreadyDecided: 'approvalAlreadyDecided',
  overLimit: 'approvalOverLimit',
  tooNew: 'approvalTooNew',
  grantedByInitiator: 'approvalGrantedByInitiator',
  initiatorLeft: 'approvalInitiatorLeft',
  adopted: 'approvalOwn',
  concerned: 'approvalConcerned',
};

/**
 * Approves or rejects tasks, all or none, in one transaction: the code proves exactly these tasks as they are and the outcome,
 * each decision is sealed, and the last approval of a chain starts what was applied for. Repeated with the same key it
 * returns the same answer.
 * @throws DomainError approvalReasonRequired, notFound, the errors above; RememberedError approvalVoided and approvalStopped,
 * which end the tasks concerned and leave the others as they were
 */
export const decide: MoneyUseCase<typeof decideApprovals, ApprovalsPorts, undefined> = {
  // The code is left out: a request with a new code after a lost answer is still the same decision.
  request: ({ code: _code, codeMethod: _method, ...request }) => request,
  work: decideIn,
};

/** One task of a request with all that the decision on it needs. */
interface Deciding {
  task: TaskRow;
  /** On all tasks of the request. */
  decisions: readonly DecisionRow[];
  seat: Person;
}

async function decideIn(tx: Tx, context: ApprovalsContext, body: Request): Promise<Answer> {
  const { session } = context;
  const opinion = body.opinion?.trim() ?? '';
  if (body.outcome === 'rejected' && opinion === '') {
    throw new DomainError('approvalReasonRequired', {}, { opinion: 'error.approvalReasonRequired' });
  }
  // What a subject changes when it is approved is changed under the same locks as directly: before tasks, always in this order.
  const kinds = await readKinds(tx, body.ids);
  // An approved payment waits; what else an approval brings about would take effect at once.
  const isPayment = (kind: string) => ['payment', 'batch'].includes(subjectOf(context.subjects, { kind }).shape);
  const widens = body.outcome === 'approved' && !kinds.every(isPayment);
  if (session.isFrozen && widens) throw new DomainError('companyFrozen');
  const locks = kinds.flatMap((kind) => subjectOf(context.subjects, { kind }).locks);
  // Before all others: a freeze holds its lock while it waits for rows of members and codes.
  if (locks.includes('freezes')) await holdFreezes(tx);
  if (locks.includes('organisation')) await lockOrganisation(tx);
  await lockMember(tx, session.userId);
  if (locks.includes('settings')) await lockSettings(tx);
  const tasks = await lockTasks(tx, body.ids);
  if (tasks.length !== body.ids.length) throw new DomainError('notFound');
  const people = await peopleById(tx);
  const decisions = await readDecisions(tx, body.ids);
  const deciding = tasks.map((task) => judged(context.subjects, task, decisions, people, context));
  await refuseVoid(tx, context, deciding);

  const digest = decisionDigest(session.companyId, tasks, body.outcome);
  const proof = await context.verifyCode(tx, { session, method: body.codeMethod, code: body.code, digest });
  if (body.outcome === 'approved') await refuseStopped(tx, context, deciding);

  const items: Answer['items'] = [];
  for (const each of deciding) {
    await decideOne(tx, context, { ...each, people, outcome: body.outcome, opinion, proof });
    const [after] = await readTasks(tx, [each.task.id]);
    invariant(after, 'a task does not vanish');
    items.push({
      id: after.id,
      status: after.status,
      end: after.end,
      step: after.node + 1,
      steps: after.nodes.length,
    });
  }
  return { items };
}

/** @throws DomainError for the first reason why this person may not decide on it */
function judged(
  subjects: ApprovalSubjects,
  task: TaskRow,
  decisions: readonly DecisionRow[],
  people: PeopleById,
  { session, locale }: SignedInContext,
): Deciding {
  const person = people.get(session.userId);
  if (!person) throw new DomainError('noPermission');
  const progress = progressOf(task, decisions);
  // The worker ends it in a moment, or when it is back.
  const pending = progress.pending && Date.now() < task.expiresAt.getTime();
  const judgement = judge(chainOf(task), { ...progress, pending }, person, people);
  if ('obstacle' in judgement)
    throw new DomainError(errorOf[judgement.obstacle], { task: taskName(subjects, task, locale) });
  return { task, decisions, seat: judgement.seat };
}

/** An approval binds to what was applied for: where that has changed, the task is void (decisions, "Approvals and risk"). */
async function refuseVoid(tx: Tx, context: ApprovalsContext, deciding: readonly Deciding[]): Promise<void> {
  const changed: TaskRow[] = [];
  for (const { task } of deciding) if (!(await isSame(tx, context, task))) changed.push(task);
  const [first] = changed;
  if (!first) return;
  for (const task of changed) {
    await endUnapproved(tx, context.subjects, task, {
      outcome: 'voided',
      by: null,
      reason: 'approvals.reason.changed',
    });
  }
  throw new RememberedError('approvalVoided', { task: taskName(context.subjects, first, context.locale) });
}

async function isSame(tx: Tx, { subjects }: ApprovalsContext, task: TaskRow): Promise<boolean> {
  return (await subjectOf(subjects, task).digest(tx, task.subjectId)) === task.digest;
}

async function refuseStopped(
  tx: Tx,
  { subjects, locale }: ApprovalsContext,
  deciding: readonly Deciding[],
): Promise<void> {
  const stopped: { task: TaskRow; reason: string }[] = [];
  for (const { task } of deciding) {
    const stop = await subjectOf(subjects, task).recheck(tx, task.subjectId);
    if (stop) stopped.push({ task, reason: stop.reason });
  }
  const [first] = stopped;
  if (!first) return;
  for (const { task, reason } of stopped) {
    await endUnapproved(tx, subjects, task, { outcome: 'stopped', by: null, reason });
  }
  throw new RememberedError('approvalStopped', {
    task: taskName(subjects, first.task, locale),
    reason: sayReason('stopped', first.reason, locale),
  });
}

async function decideOne(
  tx: Tx,
  context: ApprovalsContext,
  decision: Deciding & {
    people: PeopleById;
    outcome: DecisionContent['outcome'];
    opinion: string;
    proof: { method: string; id: string };
  },
): Promise<void> {
  const { task, outcome, opinion, people } = decision;
  const { session, locale } = context;
  // An earlier decision of this very request may have made it void: then none of them counts.
  if (!(await isSame(tx, context, task)))
    throw new DomainError('approvalVoided', { task: taskName(context.subjects, task, locale) });
  const subject = subjectOf(context.subjects, task);
  const actor = people.get(session.userId);
  const grantedAt = actor ? grantedByInitiatorAt(chainOf(task), actor) : null;
  await record(tx, context, { ...decision, grantedAt });
  const step = advance(task.nodes, progressOf(task, decision.decisions), outcome);
  const by = { id: session.userId, name: session.userName };
  await audit(tx, {
    actor: actorOf(context),
    action: outcome === 'approved' ? 'approvals.approve' : 'approvals.reject',
    subjectKind: subject.auditKind,
    subjectId: task.subjectId,
    detail: {
      taskId: task.id,
      digest: task.digest,
      step: task.node + 1,
      opinion,
      deputyFor: deputyFor(decision, by.id),
      ...(grantedAt ? { grantedByInitiatorAt: grantedAt.toISOString() } : {}),
    },
  });
  if ('end' in step) {
    if (step.end === 'approved') await endApproved(tx, context.subjects, task);
    else await endUnapproved(tx, context.subjects, task, { outcome: 'rejected', by, reason: opinion });
    return;
  }
  await announce(tx, [live('approval', task.id)]);
  if (step.node === task.node) return;
  const { reminderHours } = await readSettings(tx);
  await moveTask(tx, task.id, step.node, reminderHours);
  await tellApprovers(tx, subject, { ...task, node: step.node }, { people });
}

/** Writes the decision with the seal that the signer asks for before it pays. */
async function record(
  tx: Tx,
  { session, seal, clock }: ApprovalsContext,
  decision: Deciding & {
    outcome: DecisionContent['outcome'];
    opinion: string;
    proof: { method: string; id: string };
    grantedAt: Date | null;
  },
): Promise<void> {
  const { task, seat, outcome, opinion, proof } = decision;
  const claims: DecisionClaims = {
    version: 1,
    companyId: session.companyId,
    taskId: task.id,
    subjectKind: task.kind,
    subjectId: task.subjectId,
    digest: task.digest,
    node: task.node,
    approverId: session.userId,
    roleId: seat.roleId,
    deputyFor: deputyFor(decision, session.userId),
    outcome,
    proof,
    at: clock.now().toISOString(),
  };
  await insertDecision(tx, {
    taskId: task.id,
    approverId: session.userId,
    approverName: session.userName,
    seatId: seat.id,
    seatName: seat.name,
    roleId: seat.roleId,
    node: task.node,
    outcome,
    opinion,
    proofMethod: proof.method === 'otp_auth' ? 'otp_auth' : 'email',
    proofId: proof.id,
    jws: seal('causeway-decision', claims),
    grantedAt: decision.grantedAt,
  });
}

/** What a decision's seal says; for a deputy `roleId` is that of the person on leave, whose place the deputy takes. */
export interface DecisionClaims {
  version: 1;
  companyId: string;
  taskId: string;
  subjectKind: TaskRow['kind'];
  subjectId: string;
  digest: string;
  /** From 0. */
  node: number;
  approverId: string;
  roleId: string;
  deputyFor: string | null;
  outcome: DecisionContent['outcome'];
  proof: { method: string; id: string };
  at: string;
}

function deputyFor({ seat }: Pick<Deciding, 'seat'>, approverId: string): string | null {
  return seat.id === approverId ? null : seat.id;
}
