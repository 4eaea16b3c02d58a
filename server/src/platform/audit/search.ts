import type { AuditActorKind } from '@causeway/contract/audit.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../database.ts';
import { type EventRow, eventColumns } from './store.ts';

/** The audit log as people look through it: newest first, filtered, sealed or not yet. */

export interface AuditFilter {
  /** A member's id, or `operator`, or `system`. */
  actor: string | null;
  action: string | null;
  subjectKind: string | null;
  subjectId: string | null;
  /** Inclusive; ISO 8601. */
  from: string | null;
  /** Exclusive. */
  to: string | null;
  keyword: Keyword | null;
}

/** What was typed, and whose names and which actions' sentences contain it. */
export interface Keyword {
  text: string;
  actions: readonly string[];
  actors: readonly string[];
}

export interface ListedEvent extends Omit<EventRow, 'actorKind'> {
  actorKind: AuditActorKind;
  seq: number | null;
  hash: Buffer | null;
  previousHash: Buffer | null;
  sealedAt: Date | null;
}

/** Where a page ended: the last row's time (to the microsecond) and id. */
export interface AuditPosition {
  time: string;
  id: string;
}

const listed = sql`
  ${eventColumns}, s.seq, s.hash, s.sealed_at as "sealedAt",
  coalesce(p.hash, case when s.seq = 1 then decode(repeat('00', 32), 'hex') end) as "previousHash"`;
const withSeals = sql`
  left join audit_seal s on s.company_id = e.company_id and s.event_id = e.id
  left join audit_seal p on p.company_id = s.company_id and p.seq = s.seq - 1`;

function condition(filter: AuditFilter): RawBuilder<unknown> {
  const parts = [sql`e.company_id = company_id()`];
  const { actor, action, subjectKind, subjectId, from, to, keyword } = filter;
  if (actor === 'operator' || actor === 'system') parts.push(sql`e.actor_kind = ${actor}`);
  else if (actor !== null) parts.push(sql`e.actor_id = ${actor}`);
  if (action !== null) parts.push(sql`e.action = ${action}`);
  if (subjectKind !== null) parts.push(sql`e.subject_kind = ${subjectKind}`);
  if (subjectId !== null) parts.push(sql`e.subject_id = ${subjectId}`);
  if (from !== null) parts.push(sql`e.at >= ${from}::timestamptz`);
  if (to !== null) parts.push(sql`e.at < ${to}::timestamptz`);
  if (keyword !== null) {
    const text = keyword.text.toLowerCase();
    parts.push(sql`(e.action = any (${[...keyword.actions]}::text[]) or e.actor_id = any (${[...keyword.actors]}::text[])
      or strpos(lower(e.subject_id || chr(10) || e.detail::text || chr(10) || coalesce(e.ip, '') || chr(10)
        || coalesce(e.request_id, '')), ${text}) > 0)`);
  }
  return sql.join(parts, sql` and `);
}

/** Events newest first, from below `before` on. */
export async function searchEvents(
  tx: Tx,
  filter: AuditFilter,
  before: AuditPosition | null,
  limit: number,
): Promise<ListedEvent[]> {
  const from = before === null ? sql`true` : sql`(e.at, e.id) < (${before.time}::timestamptz, ${before.id}::uuid)`;
  const { rows } = await sql<ListedEvent>`
    select ${listed} from (
      select * from audit_event e where ${condition(filter)} and ${from} order by e.at desc, e.id desc limit ${limit}
    ) as e ${withSeals} order by e.at desc, e.id desc`.execute(tx);
  return rows;
}

/** How many there are, counted no further than `most`. */
export async function countEvents(tx: Tx, filter: AuditFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from audit_event e where ${condition(filter)} limit ${most}) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findEvent(tx: Tx, id: string): Promise<ListedEvent | null> {
  const { rows } = await sql<ListedEvent>`
    select ${listed} from audit_event e ${withSeals} where e.company_id = company_id() and e.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The places of the chain between which all events of a period stand; null when the period holds none. */
export async function placesOf(
  tx: Tx,
  from: string | null,
  to: string | null,
): Promise<{ first: number; last: number } | null> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(s.seq) as first, max(s.seq) as last
    from audit_event e join audit_seal s on s.company_id = e.company_id and s.event_id = e.id
    where e.company_id = company_id() and (${from}::timestamptz is null or e.at >= ${from}::timestamptz)
      and (${to}::timestamptz is null or e.at < ${to}::timestamptz)`.execute(tx);
  const { first, last } = rows[0] ?? { first: null, last: null };
  return first === null || last === null ? null : { first, last };
}
