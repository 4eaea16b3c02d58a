import type { ApprovalKind, ApprovalStatus } from '@causeway/contract/approvals.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import { type TaskRow, taskColumns } from './tasks.ts';

/** Who looks: themselves, the seats they act for at this moment, and what they may do. */
export interface Reader {
  id: string;
  roleId: string;
  /** US cents, exclusive; null: unlimited. */
  quotaCents: bigint | null;
  mayDecide: boolean;
  managesRules: boolean;
  /** Themselves, unless a deputy acts for them, and people on leave for whom they act. */
  seats: readonly { id: string; roleId: string; managesRules: boolean }[];
}

export interface TaskFilter {
  view: 'initiated' | 'pending' | 'completed' | 'all';
  status: ApprovalStatus | undefined;
  kind: ApprovalKind | undefined;
  coin: string | undefined;
  from: string | undefined;
  to: string | undefined;
  /** In whole coins. */
  amountMin: string | undefined;
  amountMax: string | undefined;
  initiatorId: string | undefined;
  keyword: string | undefined;
}

export type ListedTask = TaskRow & { startedText: string };

const startedText = sql`to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "startedText"`;

/** One page of tasks by the time they started. */
export async function findTasks(
  tx: Tx,
  filter: TaskFilter,
  reader: Reader,
  page: { before: { time: string; id: string } | null; descending: boolean; limit: number },
): Promise<ListedTask[]> {
  const { before, descending, limit } = page;
  const place = before
    ? sql`(t.started_at, t.id) ${descending ? sql`<` : sql`>`} (${before.time}::timestamptz, ${before.id}::uuid)`
    : sql`true`;
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<ListedTask>`
    select ${taskColumns}, ${startedText} from approval_task t
    where ${matching(filter, reader)} and ${place}
    order by t.started_at ${direction}, t.id ${direction} limit ${limit}`.execute(tx);
  return rows;
}

/** How many match, counted to `most` at most. */
export async function countTasks(tx: Tx, filter: TaskFilter, reader: Reader, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from approval_task t where ${matching(filter, reader)} limit ${most}) counted`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

function matching(filter: TaskFilter, reader: Reader): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`t.company_id = company_id()`, viewed(filter.view, reader)];
  const { status, kind, coin, from, to, amountMin, amountMax, initiatorId, keyword } = filter;
  if (status !== undefined) conditions.push(sql`t.status = ${status}`);
  if (kind !== undefined) conditions.push(sql`t.kind = ${kind}`);
  if (coin !== undefined) conditions.push(sql`t.coin = ${coin}`);
  if (from !== undefined) conditions.push(sql`t.started_at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`t.started_at < ${to}::timestamptz`);
  if (amountMin !== undefined) conditions.push(sql`t.amount_coins >= ${amountMin}::numeric`);
  if (amountMax !== undefined) conditions.push(sql`t.amount_coins <= ${amountMax}::numeric`);
  if (initiatorId !== undefined) conditions.push(sql`t.initiator_id = ${initiatorId}`);
  if (keyword !== undefined) conditions.push(sql`position(${keyword.toLowerCase()} in t.search) > 0`);
  return sql.join(conditions, sql` and `);
}

function viewed(view: TaskFilter['view'], reader: Reader): RawBuilder<unknown> {
  if (view === 'initiated') return sql`t.initiator_id = ${reader.id}`;
  if (view === 'pending') return reader.mayDecide ? waitingFor(reader) : sql`false`;
  if (view === 'all') return sql`true`;
  return sql`t.status <> 'pending' and ${concerning(reader)}`;
}

/** Tasks that the reader is a part of: as initiator, as somebody whom the chain names, as somebody who decided. */
function concerning(reader: Reader): RawBuilder<unknown> {
  const parties = [reader.id, reader.roleId, ...reader.seats.flatMap(({ id, roleId }) => [id, roleId])];
  const own = sql`t.parties && ${[...new Set(parties)]}::uuid[]`;
  return reader.managesRules ? sql`(${own} or t.kind = 'rule_change')` : own;
}

/**
 * Pending tasks that the reader may decide on now, exactly as `judge` has it: they act for a seat of the node that the task has
 * reached, neither they nor the seat have been used, it is not their own, and the value is within their limit.
 */
function waitingFor({ id, quotaCents, managesRules, seats }: Reader): RawBuilder<unknown> {
  return sql`t.status = 'pending' and t.initiator_id <> ${id}
    and (t."value" is null or ${quotaCents?.toString() ?? null}::numeric is null or t."value" < ${quotaCents?.toString() ?? null}::numeric)
    and not exists (
      select from approval_decision d
      where d.company_id = t.company_id and d.task_id = t.id and ${id}::uuid in (d.approver_id, d.seat_id)
    )
    and exists (
      select from unnest(${seats.map((seat) => seat.id)}::uuid[], ${seats.map((seat) => seat.roleId)}::uuid[],
        ${seats.map((seat) => seat.managesRules)}::boolean[]) as seat (id, role_id, manages)
      where seat.id <> t.initiator_id
        and case when t.nodes -> t.node ? 'holders' then ${managesRules} and seat.manages
          else t.nodes -> t.node -> 'people' ? seat.id::text or t.nodes -> t.node -> 'roles' ? seat.role_id::text end
        and not exists (
          select from approval_decision d
          where d.company_id = t.company_id and d.task_id = t.id and seat.id in (d.approver_id, d.seat_id)
        )
    )`;
}

/** A task that the reader may see; null when there is none. */
export async function findVisibleTask(tx: Tx, id: string, reader: Reader): Promise<TaskRow | null> {
  const visible = reader.managesRules ? sql`true` : concerning(reader);
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from approval_task t
    where t.company_id = company_id() and t.id = ${id} and ${visible}`.execute(tx);
  return rows[0] ?? null;
}

export interface LogRow {
  id: string;
  at: Date;
  atText: string;
  actorName: string | null;
  action: string;
  detail: Record<string, unknown>;
  taskId: string | null;
}

/** The log of the approval settings, the newest first; of one action when it is given. */
export async function findLogs(
  tx: Tx,
  action: string | undefined,
  before: { time: string; id: string } | null,
  limit: number,
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select id, at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText", actor_name as "actorName",
      action, detail, task_id as "taskId"
    from approval_log
    where company_id = company_id() and (${action ?? null}::text is null or action = ${action ?? null}::text)
      and (${before?.time ?? null}::timestamptz is null or (at, id) < (${before?.time ?? null}::timestamptz, ${before?.id ?? null}::uuid))
    order by at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function countLogs(tx: Tx, action: string | undefined, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from approval_log
      where company_id = company_id() and (${action ?? null}::text is null or action = ${action ?? null}::text) limit ${most}
    ) counted`.execute(tx);
  return rows[0]?.count ?? 0;
}
