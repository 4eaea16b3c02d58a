import type { Language } from '@causeway/contract/locale.ts';
import { activationLifetimeMs } from '@causeway/contract/organisation-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** `activation`: the member's first password; `reset`: an administrator asked for another; `forget`: the member did. */
export type ActivationPurpose = 'activation' | 'reset' | 'forget';

export interface NewActivation {
  id: string;
  userId: string;
  purpose: ActivationPurpose;
  tokenSha256: Buffer;
}

/** Writes a link's token, and ends the links before it. @returns when it expires */
export async function insertActivation(tx: Tx, made: NewActivation): Promise<Date> {
  await endActivations(tx, made.userId);
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into activation_token (company_id, id, user_id, purpose, token_sha256, expires_at)
    values (company_id(), ${made.id}, ${made.userId}, ${made.purpose}, ${made.tokenSha256},
      now() + make_interval(secs => ${activationLifetimeMs / 1000}))
    returning expires_at as "expiresAt"`.execute(tx);
  return rows[0]?.expiresAt ?? new Date();
}

/** The member's links that were not used hold no longer. */
export async function endActivations(tx: Tx, userId: string): Promise<void> {
  await sql`
    update activation_token set replaced_at = now()
    where company_id = company_id() and user_id = ${userId} and used_at is null and replaced_at is null`.execute(tx);
}

/** Whether the member has a password to forget, and no link for it was made in the last while. */
export async function mayForget(tx: Tx, userId: string, pauseMs: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select not exists (
      select from activation_token t
      where t.company_id = company_id() and t.user_id = ${userId} and t.purpose = 'forget' and t.used_at is null
        and t.replaced_at is null and t.created_at > now() - make_interval(secs => ${pauseMs / 1000})
    ) as may
    from credential c join member m on m.company_id = c.company_id and m.id = c.user_id
    where c.company_id = company_id() and c.user_id = ${userId} and m.disabled_at is null`.execute(tx);
  return rows[0]?.may ?? false;
}

export interface Activation {
  id: string;
  userId: string;
  purpose: ActivationPurpose;
  email: string;
  firstName: string;
  lastName: string;
  companyName: string;
  language: Language;
  expiresAt: Date;
}

/** The link of a token if it holds and its member is not disabled, locked until the transaction's end; null otherwise. */
export async function lockActivation(tx: Tx, tokenSha256: Buffer): Promise<Activation | null> {
  const { rows } = await sql<Activation>`
    select t.id, t.user_id as "userId", t.purpose, m.email, m.first_name as "firstName",
      m.last_name as "lastName", m.language, company.name as "companyName", t.expires_at as "expiresAt"
    from activation_token t
    join member m on m.company_id = t.company_id and m.id = t.user_id
    join company on company.company_id = t.company_id
    where t.company_id = company_id() and t.token_sha256 = ${tokenSha256} and t.used_at is null
      and t.replaced_at is null and t.expires_at > now() and m.disabled_at is null
    for update of t`.execute(tx);
  return rows[0] ?? null;
}

/** The link is used up, the password set, and an invited member active. */
export async function useActivation(tx: Tx, { id, userId }: Activation, passwordHash: string): Promise<void> {
  await sql`update activation_token set used_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
  await sql`
    insert into credential (company_id, user_id, password_hash) values (company_id(), ${userId}, ${passwordHash})
    on conflict (company_id, user_id) do update set password_hash = excluded.password_hash,
      password_changed_at = now()`.execute(tx);
  await sql`
    update member set activated_at = now()
    where company_id = company_id() and id = ${userId} and activated_at is null`.execute(tx);
}
