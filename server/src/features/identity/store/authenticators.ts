import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

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

export async function updateLastStep(tx: Tx, userId: string, step: number): Promise<void> {
  await sql`
    update credential set totp_last_step = ${step} where company_id = company_id() and user_id = ${userId}`.execute(tx);
}

/** The same secret, sealed under another key. */
export async function updateSecret(tx: Tx, userId: string, sealed: Buffer): Promise<void> {
  await sql`
    update credential set totp_secret = ${sealed} where company_id = company_id() and user_id = ${userId}`.execute(tx);
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
