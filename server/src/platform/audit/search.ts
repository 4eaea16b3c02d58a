import { type AuditActorKind, listAudit } from '@causeway/contract/audit.ts';
import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { contains, defineList, since, until } from '../database/list.ts';
import { type EventRow, eventColumns } from './store.ts';

/** The audit log as people look through it: newest first, filtered, sealed or not yet. */

/** What a keyword also finds: people whose names and actions whose sentences contain it. */
export interface Named {
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

const listed = sql`
  ${eventColumns}, s.seq, s.hash, s.sealed_at as "sealedAt",
  coalesce(p.hash, case when s.seq = 1 then decode(repeat('00', 32), 'hex') end) as "previousHash"`;
const withSeals = sql`
  left join audit_seal s on s.company_id = e.company_id and s.event_id = e.id
  left join audit_seal p on p.company_id = s.company_id and p.seq = s.seq - 1`;

/** The events of the company's log, each with its place in the chain. */
export const eventList = defineList(listAudit, {
  from: () => sql`audit_event e`,
  where: (_: Named) => sql`e.company_id = company_id()`,
  filters: {
    actor: (actor) =>
      actor === 'operator' || actor === 'system' ? sql`e.actor_kind = ${actor}` : sql`e.actor_id = ${actor}`,
    action: (action) => sql`e.action = ${action}`,
    subjectKind: (kind) => sql`e.subject_kind = ${kind}`,
    subjectId: (id) => sql`e.subject_id = ${id}`,
    from: (instant) => since(sql`e.at`, instant),
    to: (instant) => until(sql`e.at`, instant),
    keyword(keyword, { actions, actors }) {
      const inText = contains(
        sql`e.subject_id || chr(10) || e.detail::text || chr(10) || coalesce(e.ip, '') || chr(10) || coalesce(e.request_id, '')`,
        keyword,
      );
      return (
        inText &&
        sql`(e.action = any (${[...actions]}::text[]) or e.actor_id = any (${[...actors]}::text[]) or ${inText})`
      );
    },
  },
  columns: () => sql<ListedEvent>`${listed}`,
  page: { alias: 'e', joins: withSeals },
  orders: { time: { by: sql`e.at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`e.id`,
});

export async function findEvent(tx: Tx, id: string): Promise<ListedEvent | null> {
  const { rows } = await sql<ListedEvent>`
    select ${listed} from audit_event e ${withSeals} where e.company_id = company_id() and e.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The first and last place of a period's events in the chain; null when the period holds none. */
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
