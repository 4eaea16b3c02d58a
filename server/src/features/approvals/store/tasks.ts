import type { ApprovalEnd, ApprovalOutcome, ApprovalStatus } from '@causeway/contract/approvals-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { timeZoneColumn } from '../../organisation/index.ts';
import type { ChainNode } from '../domain.ts';
import type { NamedSubmitter } from '../submitters.ts';

export interface TaskRow {
  companyId: string;
  id: string;
  kind: string;
  subjectId: string;
  digest: string;
  /** What was applied for, as it was then: written and read by its subject alone. */
  content: unknown;
  /** As its subject was when it was opened. */
  adoptable: boolean;
  changesControls: boolean;
  coin: string | null;
  decimals: number | null;
  amountMinor: bigint | null;
  valueCents: bigint | null;
  initiatorId: string;
  initiatorName: string;
  applicant: string;
  department: string | null;
  ruleId: string | null;
  ruleVersion: number | null;
  /** As which of those whom the rule is for the initiator was meant; null: a rule for everybody, or from before rules were for some. */
  ruleSubmitter: NamedSubmitter | null;
  nodes: ChainNode[];
  node: number;
  nodeSince: Date;
  status: ApprovalStatus;
  end: ApprovalEnd | null;
  reason: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  expiresAt: Date;
  remindAt: Date;
  /** When a change of controls takes effect unless it is stopped; null: by consent alone. */
  effectiveAt: Date | null;
  /** The person who stopped or ended it. */
  endedByName: string | null;
  /** The administrator who adopted it after its initiator became inactive. */
  adoptedBy: string | null;
  adoptedByName: string | null;
  /** The company's settings by which it is judged, and the moment of reading. */
  forbidsGrantees: boolean;
  /** The company's. */
  timeZone: string;
  reviewedSince: Date | null;
  readAt: Date;
}

/** What a task is about, as it was when it began. */
export type TaskSnapshot = Pick<
  TaskRow,
  | 'id'
  | 'kind'
  | 'subjectId'
  | 'content'
  | 'coin'
  | 'decimals'
  | 'amountMinor'
  | 'valueCents'
  | 'initiatorId'
  | 'initiatorName'
>;

export const taskColumns = sql`company_id as "companyId", id, kind, subject_id as "subjectId", digest, content, adoptable,
  changes_controls as "changesControls", coin, decimals, amount as "amountMinor",
  "value" as "valueCents", initiator_id as "initiatorId", initiator_name as "initiatorName", applicant, department,
  rule_id as "ruleId", rule_version as "ruleVersion", rule_submitter as "ruleSubmitter", nodes, node, node_since as "nodeSince", status, ended_as as "end",
  reason, started_at as "startedAt", finished_at as "finishedAt", expires_at as "expiresAt", remind_at as "remindAt",
  effective_at as "effectiveAt", ended_by_name as "endedByName", adopted_by as "adoptedBy", adopted_by_name as "adoptedByName",
  coalesce((select s.forbid_own_approvers from company_setting s where s.company_id = company_id()), false) as "forbidsGrantees",
  ${timeZoneColumn} as "timeZone",
  (select s.reviewed_since from approval_setting s where s.company_id = company_id()) as "reviewedSince", now() as "readAt"`;

/** Reads tasks and locks them until the transaction's end, in the order of their ids. */
export async function lockTasks(tx: Tx, ids: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task where company_id = company_id() and id = any (${[...ids]}::uuid[])
    order by id for no key update`.execute(tx);
  return rows;
}

/** The task about a subject, locked; null when there is none. */
export async function lockTaskOf(tx: Tx, kind: string, subjectId: string): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task
    where company_id = company_id() and kind = ${kind} and subject_id = ${subjectId} for no key update`.execute(tx);
  return rows[0] ?? null;
}

/** The same without a lock. */
export async function findTaskOf(tx: Tx, kind: string, subjectId: string): Promise<TaskRow | null> {
  return (await readTasksOf(tx, kind, [subjectId]))[0] ?? null;
}

/** Those of several subjects; none of what was never to be approved. */
export async function readTasksOf(tx: Tx, kind: string, subjectIds: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task
    where company_id = company_id() and kind = ${kind} and subject_id = any (${[...subjectIds]}::uuid[])`.execute(tx);
  return rows;
}

export async function readTasks(tx: Tx, ids: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task where company_id = company_id() and id = any (${[...ids]}::uuid[])
    order by id`.execute(tx);
  return rows;
}

/** The kinds of these tasks; a task's kind never changes, so no lock is needed. */
export async function readKinds(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select distinct kind from approval_task
    where company_id = company_id() and id = any (${[...ids]}::uuid[])`.execute(tx);
  return rows.map(({ kind }) => kind);
}

/** Pending tasks, the oldest first; of one kind when it is given. */
export async function readPendingTasks(tx: Tx, kind: string | null = null): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task
    where company_id = company_id() and status = 'pending' and (${kind}::text is null or kind = ${kind}::text)
    order by started_at, id`.execute(tx);
  return rows;
}

/** Ends a pending task. */
export async function endTask(
  tx: Tx,
  id: string,
  end: ApprovalEnd,
  reason: string | null,
  byName: string | null = null,
): Promise<void> {
  const status = end === 'approved' || end === 'applied' ? 'approved' : 'rejected';
  await sql`
    update approval_task set status = ${status}, ended_as = ${end}, reason = ${reason}, ended_by_name = ${byName},
      finished_at = now()
    where company_id = company_id() and id = ${id} and status = 'pending'`.execute(tx);
}

/** Moves a task to its next node, of which its approvers are reminded after some hours. */
export async function moveTask(tx: Tx, id: string, node: number, reminderHours: number): Promise<void> {
  await sql`
    update approval_task set node = ${node}, node_since = now(), remind_at = now() + make_interval(hours => ${reminderHours})
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setReminder(tx: Tx, id: string, remindAt: Date): Promise<void> {
  await sql`
    update approval_task set remind_at = ${remindAt.toISOString()} where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}

export interface DecisionRow {
  taskId: string;
  approverId: string;
  approverName: string;
  seatId: string;
  seatName: string;
  roleId: string;
  node: number;
  outcome: ApprovalOutcome;
  opinion: string;
  proofMethod: 'email' | 'otp_auth';
  at: Date;
  /** When the initiator had given the approver the right, if that was within 30 days before. */
  grantedAt: Date | null;
}

export async function readDecisions(tx: Tx, taskIds: readonly string[]): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select task_id as "taskId", approver_id as "approverId", approver_name as "approverName", seat_id as "seatId",
      seat_name as "seatName", role_id as "roleId", node, outcome, opinion, proof_method as "proofMethod", at,
      granted_at as "grantedAt"
    from approval_decision where company_id = company_id() and task_id = any (${[...taskIds]}::uuid[])
    order by at, approver_id`.execute(tx);
  return rows;
}

/** Writes a decision with its seal, and names the approver among those whom the task concerns. */
export async function insertDecision(
  tx: Tx,
  decision: Omit<DecisionRow, 'at'> & { proofId: string; jws: string },
): Promise<void> {
  await sql`
    with decided as (
      insert into approval_decision (company_id, task_id, approver_id, approver_name, seat_id, seat_name, role_id, node,
        outcome, opinion, proof_method, proof_id, jws, granted_at)
      values (company_id(), ${decision.taskId}, ${decision.approverId}, ${decision.approverName}, ${decision.seatId},
        ${decision.seatName}, ${decision.roleId}, ${decision.node}, ${decision.outcome}, ${decision.opinion},
        ${decision.proofMethod}, ${decision.proofId}, ${decision.jws}, ${decision.grantedAt?.toISOString() ?? null}::timestamptz)
      returning company_id, task_id, approver_id
    )
    update approval_task t set parties = array_append(t.parties, d.approver_id) from decided d
    where t.company_id = d.company_id and t.id = d.task_id and not t.parties @> array[d.approver_id]`.execute(tx);
}

/**
 * Locks a member's row against being disabled, deleted or given another role until the transaction's end: a person who
 * decides is an approver until they have decided. Before tasks, as everywhere: member, task, transaction.
 */
export async function lockMember(tx: Tx, userId: string): Promise<void> {
  await sql`select from member where company_id = company_id() and id = ${userId} for share`.execute(tx);
}

/** A task whose time has come, and its place among them; the time is text, as the database has it. */
export interface DueTask {
  companyId: string;
  id: string;
  dueAt: string;
}

/** Tasks of any company whose time has come, in a fixed order: at most so many, from after a place on. */
export async function findDue(tx: PlatformTx, now: Date, after: DueTask | null, most: number): Promise<DueTask[]> {
  const place = after ? sql`, ${after.dueAt}::timestamptz, ${after.companyId}::uuid, ${after.id}::uuid` : sql``;
  const { rows } = await sql<DueTask>`
    select company_id as "companyId", id, due_at::text as "dueAt"
    from approvals_due(${now.toISOString()}::timestamptz, ${most}::integer${place})`.execute(tx);
  return rows;
}

/** Pending changes of the controls, the oldest first. */
export async function readPendingChanges(tx: Tx): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task
    where company_id = company_id() and status = 'pending' and changes_controls
    order by started_at, id`.execute(tx);
  return rows;
}

/** What a change is, without a lock: a task's content never changes. */
export async function findTask(tx: Tx, id: string): Promise<TaskRow | null> {
  return (await readTasks(tx, [id]))[0] ?? null;
}

export async function postponeTask(tx: Tx, id: string, effectiveAt: Date): Promise<void> {
  await sql`
    update approval_task set effective_at = ${effectiveAt.toISOString()}
    where company_id = company_id() and id = ${id} and status = 'pending'`.execute(tx);
}

/** An administrator takes responsibility; one of the parties from then on. */
export async function adoptTask(tx: Tx, id: string, by: { id: string; name: string }): Promise<void> {
  await sql`
    update approval_task set adopted_by = ${by.id}, adopted_by_name = ${by.name},
      parties = case when parties @> array[${by.id}::uuid] then parties else array_append(parties, ${by.id}::uuid) end
    where company_id = company_id() and id = ${id} and status = 'pending'`.execute(tx);
}

/** Changes of any company whose time has come, in a fixed order: at most so many, from after a place on. */
export async function findChangesDue(
  tx: PlatformTx,
  now: Date,
  after: DueTask | null,
  most: number,
): Promise<DueTask[]> {
  const place = after ? sql`, ${after.dueAt}::timestamptz, ${after.companyId}::uuid, ${after.id}::uuid` : sql``;
  const { rows } = await sql<DueTask>`
    select company_id as "companyId", id, due_at::text as "dueAt"
    from control_changes_due(${now.toISOString()}::timestamptz, ${most}::integer${place})`.execute(tx);
  return rows;
}
