import { listApprovals, listReviewLogs } from '@causeway/contract/approvals.ts';
import type { ApprovalView } from '@causeway/contract/approvals-rules.ts';
import { grantedByInitiatorDays } from '@causeway/contract/control-rules.ts';
import { controllingPermissions, type Permission } from '@causeway/contract/permission.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList, since, until } from '../../../platform/database/list.ts';
import type { AuthorityChange } from '../../organisation/index.ts';
import { type TaskRow, taskColumns } from './tasks.ts';

/** Who looks: themselves, the seats they act for at this moment, and what they may do. */
export interface Reader {
  id: string;
  roleId: string;
  permissions: readonly Permission[];
  /** US cents, exclusive; null: unlimited. */
  quotaCents: bigint | null;
  mayDecide: boolean;
  managesRules: boolean;
  /** How what they can do has changed. */
  changes: readonly AuthorityChange[];
  /** Members who are no longer active: what they initiated cannot be decided on until it is adopted. */
  inactive: readonly string[];
  /** Themselves, unless a deputy acts for them, and people on leave for whom they act. */
  seats: readonly Seat[];
}

export interface Seat {
  id: string;
  roleId: string;
  permissions: readonly Permission[];
  /** Of another person for whom the reader acts. */
  changes: readonly AuthorityChange[];
  /** Counts for tasks that began before; null: for all. */
  before: Date | null;
}

/** Tasks as a reader may see them. */
export const taskList = defineList(listApprovals, {
  from: () => sql`approval_task t`,
  where: (_: Reader) => sql`t.company_id = company_id()`,
  filters: {
    view: (view, reader) => viewed(view, reader),
    status: (status) => sql`t.status = ${status}`,
    kind: (kind) => sql`t.kind = ${kind}`,
    coin: (coin) => sql`t.coin = ${coin}`,
    from: (instant) => since(sql`t.started_at`, instant),
    to: (instant) => until(sql`t.started_at`, instant),
    amountMin: (amount) => sql`t.amount_coins >= ${amount}::numeric`,
    amountMax: (amount) => sql`t.amount_coins <= ${amount}::numeric`,
    initiatorId: (id) => sql`t.initiator_id = ${id}`,
    keyword: (keyword) => contains(sql`t.search`, keyword),
  },
  columns: () => sql<TaskRow>`${taskColumns}`,
  orders: { time: { by: sql`t.started_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`t.id`,
});

function viewed(view: ApprovalView, reader: Reader): RawBuilder<unknown> {
  if (view === 'initiated') return sql`t.initiator_id = ${reader.id}`;
  if (view === 'pending') return reader.mayDecide ? waitingFor(reader) : sql`false`;
  if (view === 'all') return sql`true`;
  return sql`t.status <> 'pending' and ${concerning(reader)}`;
}

/** Tasks that the reader is a part of: as initiator, as a person whom the chain names, or by a decision. */
function concerning(reader: Reader): RawBuilder<unknown> {
  const parties = [reader.id, reader.roleId, ...reader.seats.flatMap(({ id, roleId }) => [id, roleId])];
  const own = sql`t.parties && ${[...new Set(parties)]}::uuid[]`;
  return isController(reader) ? sql`(${own} or t.changes_controls)` : own;
}

/** Changes of the controls concern everybody who approves or administers: each of them may stop one. */
function isController({ permissions }: Reader): boolean {
  return controllingPermissions.some((permission) => permissions.includes(permission));
}

/**
 * Pending tasks that the reader may decide on now, exactly as `judge` has it: they act for a seat of the node that the task has
 * reached, neither they nor the seat have been used, it is not their own, the value is within their limit, and they have been able to
 * decide on it ever since it began.
 */
function waitingFor(reader: Reader): RawBuilder<unknown> {
  const { id, quotaCents } = reader;
  const seats = reader.seats.map((seat) => ({
    id: seat.id,
    role_id: seat.roleId,
    permissions: seat.permissions,
    before: seat.before,
    changes: changesFor(reader, seat),
  }));
  return sql`t.status = 'pending' and t.initiator_id <> ${id} and t.adopted_by is distinct from ${id}::uuid
    and (t."value" is null or ${quotaCents?.toString() ?? null}::numeric is null or t."value" < ${quotaCents?.toString() ?? null}::numeric)
    and (t.nodes -> t.node ->> 'holders' is null or t.nodes -> t.node ->> 'holders' = any (${[...reader.permissions]}::text[]))
    and (t.nodes -> t.node -> 'except' ? ${id}::text) is not true
    and not (t.adoptable and t.adopted_by is null and t.initiator_id = any (${[...reader.inactive]}::uuid[]))
    and not ${barredGrantee(reader)}
    and not exists (
      select from approval_decision d
      where d.company_id = t.company_id and d.task_id = t.id and ${id}::uuid in (d.approver_id, d.seat_id)
    )
    and exists (
      select from jsonb_to_recordset(${JSON.stringify(seats)}::jsonb)
        as seat (id uuid, role_id uuid, permissions jsonb, before timestamptz, changes jsonb)
      where seat.id <> t.initiator_id and seat.id is distinct from t.adopted_by
        and (t.nodes -> t.node -> 'except' ? seat.id::text) is not true and (seat.before is null or t.started_at < seat.before)
        and case when t.nodes -> t.node ? 'holders' then seat.permissions ? (t.nodes -> t.node ->> 'holders')
          else t.nodes -> t.node -> 'people' ? seat.id::text or t.nodes -> t.node -> 'roles' ? seat.role_id::text end
        and not exists (
          select from approval_decision d
          where d.company_id = t.company_id and d.task_id = t.id and seat.id in (d.approver_id, d.seat_id)
        )
        and not exists (
          select from jsonb_to_recordset(seat.changes)
            as was (at timestamptz, decided boolean, named boolean, rights jsonb, role_id text, quota numeric)
          where was.at > t.started_at and not (was.decided
            and (t."value" is null or was.quota is null or t."value" < was.quota)
            and (t.nodes -> t.node ->> 'holders' is null or was.rights ? (t.nodes -> t.node ->> 'holders'))
            and (was.named or t.nodes -> t.node ? 'holders' or t.nodes -> t.node -> 'people' ? seat.id::text
              or t.nodes -> t.node -> 'roles' ? was.role_id))
        )
    )`;
}

/** What the reader could do before each change, and for another's seat what its holder could. */
function changesFor(reader: Reader, seat: Seat): object[] {
  const isOwn = seat.id === reader.id;
  const own = reader.changes.map(({ at, before }) => ({
    at,
    decided: before?.rights.includes('approval.decide') === true && (isOwn || before.seats.includes(seat.id)),
    named: !isOwn,
    rights: before?.rights ?? [],
    role_id: before?.roleId ?? null,
    quota: before?.quotaCents ?? null,
  }));
  const others = seat.changes.map(({ at, before }) => ({
    at,
    decided: before !== null,
    named: false,
    rights: before?.rights ?? [],
    role_id: before?.roleId ?? null,
    quota: null,
  }));
  return [...own, ...others];
}

/** The initiator gave the reader the right: forbidden by a setting, and for seven days on changes of the controls. */
function barredGrantee({ changes }: Reader): RawBuilder<unknown> {
  const grants = changes.filter(({ gained }) => gained).map(({ at, byId }) => ({ at, by_id: byId }));
  return sql`exists (
      select from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as grant_ (at timestamptz, by_id uuid)
      where grant_.by_id in (t.initiator_id, t.adopted_by) and grant_.at > now() - make_interval(days => ${grantedByInitiatorDays})
        and (coalesce((select s.forbid_own_approvers from company_setting s where s.company_id = company_id()), false)
          or (t.nodes -> t.node ? 'holders' and grant_.at > now() - interval '7 days'
            and grant_.at > (select s.reviewed_since from approval_setting s where s.company_id = company_id())))
    )`;
}

/** Whose initiator has left, for those who manage members: one of them adopts it or ends it. */
function adoptable({ permissions, inactive }: Reader): RawBuilder<unknown> {
  if (!permissions.includes('member.manage')) return sql`false`;
  return sql`(t.status = 'pending' and t.adoptable and t.adopted_by is null and t.initiator_id = any (${[...inactive]}::uuid[]))`;
}

/** A task that the reader may see; null when there is none. */
export async function findVisibleTask(tx: Tx, id: string, reader: Reader): Promise<TaskRow | null> {
  const visible = reader.managesRules ? sql`true` : sql`(${concerning(reader)} or ${adoptable(reader)})`;
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task t
    where t.company_id = company_id() and t.id = ${id} and ${visible}`.execute(tx);
  return rows[0] ?? null;
}

export interface LogRow {
  id: string;
  at: Date;
  actorName: string | null;
  action: string;
  detail: Record<string, unknown>;
  taskId: string | null;
}

/** The log of the approval settings. */
export const logList = defineList(listReviewLogs, {
  from: () => sql`approval_log`,
  where: () => sql`company_id = company_id()`,
  filters: { action: (action) => sql`action = ${action}` },
  columns: () => sql<LogRow>`id, at, actor_name as "actorName", action, detail, task_id as "taskId"`,
  orders: { time: { by: sql`at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`id`,
});
