import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import type { MemberRef } from './lookups.ts';

/** The authenticator's part of a credential; secrets are sealed. */
export interface AuthenticatorRow {
  secret: Buffer | null;
  lastStep: number;
  pendingSecret: Buffer | null;
  pendingSince: Date | null;
}

/** Reads and locks it until the transaction's end. */
export async function lockAuthenticator(tx: Tx, userId: string): Promise<AuthenticatorRow | null> {
  const { rows } = await sql<AuthenticatorRow>`
    select totp_secret as secret, totp_last_step as "lastStep", pending_secret as "pendingSecret",
      pending_since as "pendingSince"
    from credential where company_id = company_id() and user_id = ${userId} for update`.execute(tx);
  return rows[0] ?? null;
}

/** What is bound of a member's authenticator. */
export interface BoundAuthenticator {
  secret: Buffer | null;
  lastStep: number;
}

/** Reads and locks those of several members, in one order, until the transaction's end. */
export async function lockAuthenticators(
  tx: CompaniesTx,
  members: readonly MemberRef[],
): Promise<(MemberRef & BoundAuthenticator)[]> {
  const { rows } = await sql<MemberRef & BoundAuthenticator>`
    select c.company_id as "companyId", c.user_id as "userId", c.totp_secret as secret, c.totp_last_step as "lastStep"
    from unnest(${uuids(members.map(({ companyId }) => companyId))}, ${members.map(({ userId }) => userId)}::uuid[])
      as r (company_id, user_id)
    join credential c on c.company_id = r.company_id and c.user_id = r.user_id
    order by c.company_id, c.user_id for update of c`.execute(tx);
  return rows;
}

/** Writes the last step used of locked authenticators; `sealed`: the same secret under another key, null to keep it. */
export async function updateAuthenticators(
  tx: CompaniesTx,
  used: readonly (MemberRef & { step: number; sealed: Buffer | null })[],
): Promise<void> {
  await sql`
    update credential c set totp_last_step = r.step, totp_secret = coalesce(r.sealed, c.totp_secret)
    from unnest(${uuids(used.map(({ companyId }) => companyId))}, ${used.map(({ userId }) => userId)}::uuid[],
      ${used.map(({ step }) => step)}::bigint[], ${used.map(({ sealed }) => sealed)}::bytea[])
      as r (company_id, user_id, step, sealed)
    where c.company_id = r.company_id and c.user_id = r.user_id`.execute(tx);
}

export async function updatePending(tx: Tx, userId: string, sealed: Buffer): Promise<void> {
  await sql`
    update credential set pending_secret = ${sealed}, pending_since = now()
    where company_id = company_id() and user_id = ${userId}`.execute(tx);
}

/** The pending secret becomes the bound one; `step` has been used by its proof. */
export async function bindPending(tx: Tx, userId: string, step: number): Promise<void> {
  await sql`
    update credential set totp_secret = pending_secret, totp_bound_at = now(), totp_last_step = ${step},
      pending_secret = null, pending_since = null
    where company_id = company_id() and user_id = ${userId}`.execute(tx);
}

/** Takes the authenticator away; the last step stays, so that no code of it can count again. */
export async function unbind(tx: Tx, userId: string): Promise<void> {
  await sql`
    update credential set totp_secret = null, totp_bound_at = null, pending_secret = null, pending_since = null
    where company_id = company_id() and user_id = ${userId}`.execute(tx);
}
