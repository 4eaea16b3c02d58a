import type { Language } from '@causeway/contract/locale.ts';
import { lookMinutes } from '@causeway/contract/operator-look-rules.ts';
import type { OperatorRole } from '@causeway/contract/operator-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Looks under way, as the console's role keeps them. */

export interface NewLook {
  id: string;
  operatorSessionId: string;
  operatorId: string;
  companyId: string;
  tokenSha256: Buffer;
  reason: string;
}

export async function insertLookSession(tx: Tx, look: NewLook): Promise<Date> {
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into operator_look_session (id, operator_session_id, operator_id, company_id, token_sha256, reason, expires_at)
    values (${look.id}, ${look.operatorSessionId}, ${look.operatorId}, ${look.companyId}, ${look.tokenSha256}, ${look.reason},
      now() + make_interval(mins => ${lookMinutes}))
    returning expires_at as "expiresAt"`.execute(tx);
  return (rows[0] as { expiresAt: Date }).expiresAt;
}

/** Writes it to the company's log, once for each operator and hour. */
export async function noteLook(tx: Tx, lookId: string, eventId: string): Promise<void> {
  await sql`select note_look(${lookId}, ${eventId})`.execute(tx);
}

export interface LookRow {
  id: string;
  companyId: string;
  operatorId: string;
  name: string;
  role: OperatorRole;
}

/** The look of a token if it and the operator's session hold. `active` begins the idle minutes of that session again. */
export async function findLook(tx: PlatformTx, tokenSha256: Buffer, active: boolean): Promise<LookRow | null> {
  const { rows } = await sql<LookRow & { sessionId: string; isDue: boolean }>`
    select l.id, l.company_id as "companyId", l.operator_id as "operatorId", o.name, o.role, s.id as "sessionId",
      s.last_seen_at < now() - interval '55 seconds' as "isDue"
    from operator_look_session l
    join operator_session s on s.id = l.operator_session_id
    join operator_account o on o.id = l.operator_id
    where l.token_sha256 = ${tokenSha256} and l.ended_at is null and l.expires_at > now()
      and s.ended_at is null and s.expires_at > now() and s.last_seen_at > now() - session_idle_limit() and o.state = 'active'`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) return null;
  const { sessionId, isDue, ...look } = row;
  if (active && isDue) await sql`update operator_session set last_seen_at = now() where id = ${sessionId}`.execute(tx);
  return look;
}

export async function endLookSession(tx: PlatformTx, id: string): Promise<void> {
  await sql`update operator_look_session set ended_at = now() where id = ${id} and ended_at is null`.execute(tx);
}

export interface LookedAt {
  companyName: string;
  companyCreatedAt: Date;
  email: string;
  language: Language;
  until: Date;
}

/** Whose look it is, and at what. */
export async function findLookedAt(tx: PlatformTx, id: string): Promise<LookedAt | null> {
  const { rows } = await sql<LookedAt>`
    select c.name as "companyName", c.created_at as "companyCreatedAt", o.email, o.language, l.expires_at as until
    from operator_look_session l
    join company c on c.company_id = l.company_id
    join operator_account o on o.id = l.operator_id
    where l.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}
