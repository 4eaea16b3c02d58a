import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { sessionLifetimeMs, ticketLifetimeMs } from '../domain.ts';
import { endActivations } from './activations.ts';
import { deleteKnownBrowsers } from './known-browsers.ts';

export interface NewSession {
  id: string;
  userId: string;
  tokenSha256: Buffer;
  ip: string;
  userAgent: string;
}

/** Opens a session and notes the sign-in at the member. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await sql`
    with signed_in as (
      update member set last_login_at = now() where company_id = company_id() and id = ${session.userId}
    )
    insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
    values (company_id(), ${session.id}, ${session.userId}, ${session.tokenSha256},
      now() + make_interval(secs => ${sessionLifetimeMs / 1000}), ${session.ip}, ${session.userAgent})`.execute(tx);
}

export async function endSession(tx: Tx, id: string): Promise<void> {
  await sql`
    update session set ended_at = now()
    where company_id = company_id() and id = ${id} and ended_at is null`.execute(tx);
}

/** Ends all by which a member gets in: sessions, sign-ins under way, trusted browsers, codes and links in the mail. */
export async function endAllAccess(tx: Tx, userId: string): Promise<void> {
  await endAccess(tx, userId, null);
  await endActivations(tx, userId);
  await sql`
    update verification_code set replaced_at = now()
    where company_id = company_id() and subject = ${userId} and used_at is null and replaced_at is null`.execute(tx);
}

/**
 * Ends what a password opened: the member's sessions and known browsers (but those of the session `exceptId`), sign-ins that wait
 * for their code, and the browsers that may skip it.
 */
export async function endAccess(tx: Tx, userId: string, exceptId: string | null): Promise<void> {
  await sql`
    update session set ended_at = now()
    where company_id = company_id() and user_id = ${userId} and ended_at is null
      and (${exceptId}::uuid is null or id <> ${exceptId}::uuid)`.execute(tx);
  await sql`
    update sign_in_ticket set used_at = now()
    where company_id = company_id() and user_id = ${userId} and used_at is null`.execute(tx);
  await sql`delete from trusted_browser where company_id = company_id() and user_id = ${userId}`.execute(tx);
  await deleteKnownBrowsers(tx, userId, exceptId);
}

export interface NewTicket {
  id: string;
  userId: string;
  tokenSha256: Buffer;
  /** The known browser of the password step. */
  browserId: string | null;
}

export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<void> {
  await sql`
    insert into sign_in_ticket (company_id, id, user_id, token_sha256, browser_id, expires_at)
    values (company_id(), ${ticket.id}, ${ticket.userId}, ${ticket.tokenSha256}, ${ticket.browserId},
      now() + make_interval(secs => ${ticketLifetimeMs / 1000}))`.execute(tx);
}

/** The ticket if it still holds and its member is not disabled, locked until the transaction's end; null otherwise. */
export async function lockTicket(tx: Tx, tokenSha256: Buffer): Promise<Omit<NewTicket, 'tokenSha256'> | null> {
  const { rows } = await sql<Omit<NewTicket, 'tokenSha256'>>`
    select t.id, t.user_id as "userId", t.browser_id as "browserId" from sign_in_ticket t
    join member m on m.company_id = t.company_id and m.id = t.user_id
    where t.company_id = company_id() and t.token_sha256 = ${tokenSha256} and t.used_at is null and t.expires_at > now()
      and m.disabled_at is null
    for update of t`.execute(tx);
  return rows[0] ?? null;
}

export async function useTicket(tx: Tx, id: string): Promise<void> {
  await sql`update sign_in_ticket set used_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
}

export interface NewTrustedBrowser {
  id: string;
  userId: string;
  /** The known browser in which alone it counts. */
  browserId: string;
  tokenSha256: Buffer;
  userAgent: string;
  days: number;
}

export async function insertTrustedBrowser(tx: Tx, browser: NewTrustedBrowser): Promise<void> {
  await sql`
    insert into trusted_browser (company_id, id, user_id, browser_id, token_sha256, user_agent, expires_at)
    values (company_id(), ${browser.id}, ${browser.userId}, ${browser.browserId}, ${browser.tokenSha256}, ${browser.userAgent},
      now() + make_interval(days => ${browser.days}))`.execute(tx);
}

/** Whether this known browser, which holds this token, may skip the code; notes the use. */
export async function useTrustedBrowser(
  tx: Tx,
  userId: string,
  { token, browserId }: { token: Buffer; browserId: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update trusted_browser set last_used_at = now()
    where company_id = company_id() and user_id = ${userId} and token_sha256 = ${token} and browser_id = ${browserId}
      and expires_at > now()`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Notes that a member signed in from this device. True when it was not seen before, and is not the first of all, which is
 * no news to anybody.
 */
export async function noteDevice(tx: Tx, userId: string, device: string): Promise<boolean> {
  const { rows } = await sql<{ news: boolean }>`
    with known as (
      select count(*) as n from seen_device where company_id = company_id() and user_id = ${userId}
    ), noted as (
      insert into seen_device (company_id, user_id, device) values (company_id(), ${userId}, ${device})
      on conflict do nothing returning 1
    )
    select known.n > 0 and exists (select from noted) as news from known`.execute(tx);
  return rows[0]?.news ?? false;
}
