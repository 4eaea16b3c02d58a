import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What the owner of sessions and trusted browsers sees and ends of them. */

export interface LiveSession {
  id: string;
  ip: string;
  userAgent: string;
  createdAt: Date;
  lastActiveAt: Date;
}

/** The sessions that hold: as `identity_by_sessions` judges it. */
export async function findLiveSessions(tx: Tx, userId: string): Promise<LiveSession[]> {
  const { rows } = await sql<LiveSession>`
    select id, ip, user_agent as "userAgent", created_at as "createdAt", last_active_at as "lastActiveAt"
    from session
    where company_id = company_id() and user_id = ${userId} and ended_at is null and expires_at > now()
      and last_active_at > now() - session_idle_limit()
    order by last_active_at desc, id desc`.execute(tx);
  return rows;
}

/** How long a session lasts without activity, in milliseconds; 0 when it has ended. */
export async function findSessionEnd(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ endsInMs: number }>`
    select (extract(epoch from least(last_active_at + session_idle_limit(), expires_at) - now()) * 1000)::float8 as "endsInMs"
    from session where company_id = company_id() and id = ${id} and ended_at is null`.execute(tx);
  return Math.max(0, rows[0]?.endsInMs ?? 0);
}

/** Ends the member's sessions: the one named, or all but one. How many there were. */
export async function endMemberSessions(
  tx: Tx,
  userId: string,
  which: { id: string } | { exceptId: string },
): Promise<string[]> {
  const [id, exceptId] = 'id' in which ? [which.id, null] : [null, which.exceptId];
  const { rows } = await sql<{ id: string }>`
    update session set ended_at = now()
    where company_id = company_id() and user_id = ${userId} and ended_at is null and expires_at > now()
      and last_active_at > now() - session_idle_limit()
      and (${id}::uuid is null or id = ${id}::uuid) and (${exceptId}::uuid is null or id <> ${exceptId}::uuid)
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

export interface TrustedBrowserRow {
  id: string;
  userAgent: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** The newest first; without those that have expired. */
export async function findTrustedBrowsers(tx: Tx, userId: string): Promise<TrustedBrowserRow[]> {
  const { rows } = await sql<TrustedBrowserRow>`
    select id, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from trusted_browser where company_id = company_id() and user_id = ${userId} and expires_at > now()
    order by id desc`.execute(tx);
  return rows;
}

/** The ids of those that were forgotten: the one named, or all of the member. */
export async function deleteTrustedBrowsers(tx: Tx, userId: string, id: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from trusted_browser
    where company_id = company_id() and user_id = ${userId} and (${id}::uuid is null or id = ${id}::uuid)
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}
