import type { DecisionContent, decideApprovals } from '@causeway/contract/approvals.ts';
import type { ApprovalObstacle } from '@causeway/contract/approvals-rules.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { ErrorKey } from '@causeway/contract/errors.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { type Answered, once } from '../../../platform/idempotency.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { lockOrganisation, type Person } from '../../organisation/index.ts';
import { advance, decisionDigest, grantedByInitiatorAt, judge } from '../domain.ts';
import { lockSettings, readSettings } from '../store/rules.ts';
import {
  type DecisionRow,
  includesKind,
  insertDecision,
  lockMember,
  lockTasks,
  moveTask,
  readDecisions,
  readTasks,
  type TaskRow,
} from '../store/tasks.ts';
import { type ApprovalsCore, chainOf, type PeopleById, peopleById, progressOf, subjectOf } from './core.ts';
import { endApproved, endUnapproved } from './ending.ts';
import { sayReason, taskName } from './naming.ts';
import { tellApprovers } from './telling.ts';

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
 * answers the same.
 * @throws DomainError approvalReasonRequired, notFound, the errors above; RememberedError approvalVoided and approvalStopped,
 * which end the tasks concerned and leave the others as they were
 */
export async function decide(
  core: ApprovalsCore,
  context: SignedInContext & { idempotencyKey: string },
  body: Request,
): Promise<Answered<Answer>> {
  // The code is left out: whoever asks for a new one after a lost answer still makes the same decision.
  const { code: _code, codeMethod: _method, ...request } = body;
  const { companyId, userId } = context.session;
  const repeatable = { companyId, memberId: userId, key: context.idempotencyKey, call: 'decideApprovals', request };
  return once(core.database, repeatable, (tx) => decideIn(tx, core, context, body));
}

/** One task of a request with all that the decision on it needs. */
interface Deciding {
  task: TaskRow;
  decisions: DecisionRow[];
  seat: Person;
}

async function decideIn(tx: Tx, core: ApprovalsCore, context: SignedInContext, body: Request): Promise<Answer> {
  const { session } = context;
  const opinion = body.opinion?.trim() ?? '';
  if (body.outcome === 'rejected' && opinion === '') {
    throw new DomainError('approvalReasonRequired', {}, { opinion: 'error.approvalReasonRequired' });
  }
  // A consented change is made at once, under the same locks as a direct one: before tasks, always in this order.
  const changesControls = await includesKind(tx, body.ids, 'control_change');
  if (changesControls) await lockOrganisation(tx);
  await lockMember(tx, session.userId);
  if (changesControls || (await includesKind(tx, body.ids, 'rule_change'))) await lockSettings(tx);
  const tasks = await lockTasks(tx, body.ids);
  if (tasks.length !== body.ids.length) throw new DomainError('notFound');
  const people = await peopleById(tx);
  const decisions = await readDecisions(tx, body.ids);
  const deciding = tasks.map((task) => judged(task, decisions, people, context));
  await refuseVoid(tx, core, deciding, context);

  const digest = decisionDigest(session.companyId, tasks, body.outcome);
  const proof = await core.verifyCode(tx, { session, method: body.codeMethod, code: body.code, digest });
  if (body.outcome === 'approved') await refuseStopped(tx, core, deciding, context);

  const items: Answer['items'] = [];
  for (const each of deciding) {
    await decideOne(tx, core, context, { ...each, people, outcome: body.outcome, opinion, proof });
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
  task: TaskRow,
  decisions: readonly DecisionRow[],
  people: PeopleById,
  { session, locale }: SignedInContext,
): Deciding {
  const own = decisions.filter(({ taskId }) => taskId === task.id);
  const person = people.get(session.userId);
  if (!person) throw new DomainError('noPermission');
  const progress = progressOf(task, own);
  // The worker ends it in a moment, or when it is back.
  const pending = progress.pending && Date.now() < task.expiresAt.getTime();
  const judgement = judge(chainOf(task), { ...progress, pending }, person, people);
  if ('obstacle' in judgement) throw new DomainError(errorOf[judgement.obstacle], { task: taskName(task, locale) });
  return { task, decisions: own, seat: judgement.seat };
}

/** An approval binds to what was applied for: where that has changed, the task is void (decisions, "Approvals and risk"). */
async function refuseVoid(
  tx: Tx,
  core: ApprovalsCore,
  deciding: readonly Deciding[],
  context: SignedInContext,
): Promise<void> {
  const changed: TaskRow[] = [];
  for (const { task } of deciding) if (!(await isSame(tx, core, task))) changed.push(task);
  const [first] = changed;
  if (!first) return;
  for (const task of changed) {
    await endUnapproved(tx, core.subjects, task, { outcome: 'voided', by: null, reason: 'approvals.reason.changed' });
  }
  throw new RememberedError('approvalVoided', { task: taskName(first, context.locale) });
}

async function isSame(tx: Tx, core: ApprovalsCore, task: TaskRow): Promise<boolean> {
  return (await subjectOf(core.subjects, task.kind).digest(tx, task.subjectId)) === task.digest;
}

async function refuseStopped(
  tx: Tx,
  core: ApprovalsCore,
  deciding: readonly Deciding[],
  { locale }: SignedInContext,
): Promise<void> {
  const stopped: { task: TaskRow; reason: string }[] = [];
  for (const { task } of deciding) {
    const stop = await subjectOf(core.subjects, task.kind).recheck(tx, task.subjectId);
    if (stop) stopped.push({ task, reason: stop.reason });
  }
  const [first] = stopped;
  if (!first) return;
  for (const { task, reason } of stopped) {
    await endUnapproved(tx, core.subjects, task, { outcome: 'stopped', by: null, reason });
  }
  throw new RememberedError('approvalStopped', {
    task: taskName(first.task, locale),
    reason: sayReason('stopped', first.reason, locale),
  });
}

async function decideOne(
  tx: Tx,
  core: ApprovalsCore,
  context: SignedInContext,
  decision: Deciding & {
    people: PeopleById;
    outcome: DecisionContent['outcome'];
    opinion: string;
    proof: { method: string; id: string };
  },
): Promise<void> {
  const { task, outcome, opinion, people } = decision;
  const { session, locale } = context;
  // An earlier decision of this very request may have made it void: then none of them stands.
  if (!(await isSame(tx, core, task))) throw new DomainError('approvalVoided', { task: taskName(task, locale) });
  const actor = people.get(session.userId);
  const grantedAt = actor ? grantedByInitiatorAt(chainOf(task), actor) : null;
  await record(tx, core, context, { ...decision, grantedAt });
  const step = advance(task.nodes, progressOf(task, decision.decisions), outcome);
  const by = { id: session.userId, name: session.userName };
  await audit(tx, {
    actor: actorOf(context),
    action: outcome === 'approved' ? 'approvals.approve' : 'approvals.reject',
    subjectKind: task.kind === 'transfer' ? 'transaction' : 'task',
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
    if (step.end === 'approved') await endApproved(tx, core.subjects, task);
    else await endUnapproved(tx, core.subjects, task, { outcome: 'rejected', by, reason: opinion });
    return;
  }
  await announce(tx, [live('approval', task.id)]);
  if (step.node === task.node) return;
  const { reminderHours } = await readSettings(tx);
  await moveTask(tx, task.id, step.node, reminderHours);
  await tellApprovers(tx, { ...task, node: step.node }, { people });
}

/** Writes the decision with the seal that the signer asks for before it pays. */
async function record(
  tx: Tx,
  core: ApprovalsCore,
  { session }: SignedInContext,
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
    at: new Date().toISOString(),
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
    jws: core.seal('causeway-decision', claims),
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
