import type { OperatorFactor, OperatorRole } from '@causeway/contract/operator-rules.ts';
import { operatorSessionHours } from '@causeway/contract/operator-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { ticketLifetimeMs } from '../../../identity/index.ts';

/** Old rows stay for a while, for investigations; a sign-in removes older ones. */
const keptDays = 90;

export interface NewSession {
  id: string;
  operatorId: string;
  tokenSha256: Buffer;
  factor: OperatorFactor;
  ip: string;
  userAgent: string;
}

/** Opens a session and notes the sign-in. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await sql`delete from operator_session where expires_at < now() - make_interval(days => ${keptDays})`.execute(tx);
  await sql`
    insert into operator_session (id, operator_id, token_sha256, factor, ip, user_agent, expires_at)
    values (${session.id}, ${session.operatorId}, ${session.tokenSha256}, ${session.factor}, ${session.ip},
      ${session.userAgent}, now() + make_interval(hours => ${operatorSessionHours}))`.execute(tx);
  await sql`update operator_account set last_sign_in_at = now() where id = ${session.operatorId}`.execute(tx);
}

export interface SessionOwner {
  id: string;
  operatorId: string;
  name: string;
  role: OperatorRole;
}

/**
 * The session of a token if it holds. `active` begins its idle minutes again; the page reports activity once a minute, so one write in
 * 55 seconds is enough (`session_idle_limit` allows for both, as in the companies' console).
 */
export async function findSession(tx: PlatformTx, tokenSha256: Buffer, active: boolean): Promise<SessionOwner | null> {
  const { rows } = await sql<SessionOwner & { isDue: boolean }>`
    select s.id, s.operator_id as "operatorId", o.name, o.role, s.last_seen_at < now() - interval '55 seconds' as "isDue"
    from operator_session s join operator_account o on o.id = s.operator_id
    where s.token_sha256 = ${tokenSha256} and s.ended_at is null and s.expires_at > now()
      and s.last_seen_at > now() - session_idle_limit() and o.state = 'active'`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  if (active && row.isDue) {
    await sql`update operator_session set last_seen_at = now() where id = ${row.id}`.execute(tx);
  }
  const { isDue: _isDue, ...owner } = row;
  return owner;
}

export interface LiveSessionRow {
  id: string;
  ip: string;
  userAgent: string;
  factor: OperatorFactor;
  createdAt: Date;
  lastSeenAt: Date;
}

export async function findLiveSessions(tx: Tx, operatorId: string): Promise<LiveSessionRow[]> {
  const { rows } = await sql<LiveSessionRow>`
    select id, ip, user_agent as "userAgent", factor, created_at as "createdAt", last_seen_at as "lastSeenAt"
    from operator_session
    where operator_id = ${operatorId} and ended_at is null and expires_at > now()
      and last_seen_at > now() - session_idle_limit()
    order by last_seen_at desc, id desc`.execute(tx);
  return rows;
}

/** Ends one session of the operator; false when it is not theirs or has ended. */
export async function endSession(tx: Tx, operatorId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_session set ended_at = now()
    where operator_id = ${operatorId} and id = ${id} and ended_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Ends the operator's sessions, but the one of `exceptId`, and the sign-ins that wait for their second step. */
export async function endAccess(tx: PlatformTx, operatorId: string, exceptId: string | null): Promise<void> {
  await sql`
    update operator_session set ended_at = now()
    where operator_id = ${operatorId} and ended_at is null and (${exceptId}::uuid is null or id <> ${exceptId}::uuid)`.execute(
    tx,
  );
  await sql`
    update operator_ticket set used_at = now() where operator_id = ${operatorId} and used_at is null`.execute(tx);
}

/** Keeps a ticket whose password was right; those that have expired go. */
export async function insertTicket(
  tx: Tx,
  ticket: { id: string; operatorId: string; tokenSha256: Buffer },
): Promise<void> {
  await sql`delete from operator_ticket where expires_at < now() - interval '1 day'`.execute(tx);
  await sql`
    insert into operator_ticket (id, operator_id, token_sha256, expires_at)
    values (${ticket.id}, ${ticket.operatorId}, ${ticket.tokenSha256},
      now() + make_interval(secs => ${ticketLifetimeMs / 1000}))`.execute(tx);
}

/** The ticket if it holds and its owner may sign in, locked until the transaction's end; null otherwise. */
export async function lockTicket(tx: Tx, tokenSha256: Buffer): Promise<{ id: string; operatorId: string } | null> {
  const { rows } = await sql<{ id: string; operatorId: string }>`
    select t.id, t.operator_id as "operatorId" from operator_ticket t join operator_account o on o.id = t.operator_id
    where t.token_sha256 = ${tokenSha256} and t.used_at is null and t.expires_at > now() and o.state = 'active'
    for update of t`.execute(tx);
  return rows[0] ?? null;
}

export async function useTicket(tx: Tx, id: string): Promise<void> {
  await sql`update operator_ticket set used_at = now() where id = ${id}`.execute(tx);
}

/** Notes the browser of a sign-in. True when it was not seen before and is not the first of all. */
export async function noteDevice(tx: Tx, operatorId: string, device: string): Promise<boolean> {
  const { rows } = await sql<{ isNews: boolean }>`
    with known as (
      select count(*) as n from operator_device where operator_id = ${operatorId}
    ), noted as (
      insert into operator_device (operator_id, device) values (${operatorId}, ${device})
      on conflict do nothing returning 1
    )
    select known.n > 0 and exists (select from noted) as "isNews" from known`.execute(tx);
  return rows[0]?.isNews ?? false;
}
