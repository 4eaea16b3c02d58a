import { sql } from 'kysely';
import type { Database, PlatformTx, Tx } from '../../../platform/database/database.ts';
import { emailKey } from '../domain.ts';

/** The look-ups that come before a company is known: functions of the database that tell ids, and little more. */

export interface MemberRef {
  companyId: string;
  userId: string;
}

/** The member with this address; null without one. */
export async function findByEmail(tx: PlatformTx, email: string): Promise<MemberRef | null> {
  const { rows } = await sql<MemberRef>`
    select company_id as "companyId", user_id as "userId" from identity_by_email(${emailKey(email)})`.execute(tx);
  return rows[0] ?? null;
}

/** Whose sign-in this ticket began; whether it still holds is asked inside the company. */
export async function findByTicket(tx: PlatformTx, tokenSha256: Buffer): Promise<MemberRef | null> {
  const { rows } = await sql<MemberRef>`
    select company_id as "companyId", user_id as "userId" from identity_by_ticket(${tokenSha256})`.execute(tx);
  return rows[0] ?? null;
}

/** Takes an address for a member of this company, once and for all companies; false when it is taken. */
export async function claimEmail(tx: Tx, email: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    select identity_claim_email(${emailKey(email)}, ${userId}) as claimed`.execute(tx);
  return rows[0]?.claimed ?? false;
}

/** Gives a member's address back, for anybody to take. */
export async function releaseEmail(tx: Tx, userId: string): Promise<void> {
  await sql`select identity_release_email(${userId})`.execute(tx);
}

/** Whom the link of an activation or reset mail is for; whether it still holds is asked inside the company. */
export async function findByActivation(tx: PlatformTx, tokenSha256: Buffer): Promise<MemberRef | null> {
  const { rows } = await sql<MemberRef>`
    select company_id as "companyId", user_id as "userId" from identity_by_activation(${tokenSha256})`.execute(tx);
  return rows[0] ?? null;
}

/** Uses up an invitation for this company; false when it does not hold. */
export async function redeemInvitation(tx: Tx, codeSha256: Buffer): Promise<boolean> {
  const { rows } = await sql<{ redeemed: boolean }>`
    select identity_redeem_invitation(${codeSha256}) as redeemed`.execute(tx);
  return rows[0]?.redeemed ?? false;
}

export interface SessionRow extends MemberRef {
  sessionId: string;
  email: string;
  firstName: string;
  lastName: string;
  roleId: string;
  /** Of a role of the company's own; null for a system role, which the program knows. */
  permissions: string[] | null;
  roleActive: boolean | null;
  companyFrozen: boolean;
}

/** `active` restarts the idle minutes. */
export interface SessionLookup {
  tokenSha256: Buffer;
  active: boolean;
}

/** The sessions of tokens, in their order, null where none holds; one round trip without a transaction around it. */
export async function findSessions(
  database: Database,
  lookups: readonly SessionLookup[],
): Promise<(SessionRow | null)[]> {
  const { rows } = await database.pool.query<SessionRow & { place: number }>({
    name: 'identity_by_sessions',
    text: `select place, session_id as "sessionId", company_id as "companyId", user_id as "userId", email,
      first_name as "firstName", last_name as "lastName", role_id as "roleId", permissions,
      role_active as "roleActive", company_frozen as "companyFrozen" from causeway.identity_by_sessions($1, $2)`,
    values: [lookups.map(({ tokenSha256 }) => tokenSha256), lookups.map(({ active }) => active)],
  });
  const found = lookups.map((): SessionRow | null => null);
  for (const { place, ...row } of rows) found[place - 1] = row;
  return found;
}
