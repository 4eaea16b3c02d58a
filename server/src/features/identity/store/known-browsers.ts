import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { knownBrowserLifetimeMs } from '../domain.ts';

export interface KnownBrowser {
  id: string;
  userId: string;
  tokenSha256: Buffer;
  /** The session that the last sign-in in it opened. */
  sessionId: string;
}

/** The browser of this member that one of the tokens belongs to. */
export async function findKnownBrowser(
  tx: Tx,
  userId: string,
  tokens: readonly Buffer[],
): Promise<{ id: string; tokenSha256: Buffer } | null> {
  const { rows } = await sql<{ id: string; tokenSha256: Buffer }>`
    select id, token_sha256 as "tokenSha256" from known_browser
    where company_id = company_id() and user_id = ${userId} and token_sha256 = any (${[...tokens]}::bytea[])
      and expires_at > now()
    order by id desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

const expiry = sql`now() + make_interval(secs => ${knownBrowserLifetimeMs / 1000})`;

export async function insertKnownBrowser(tx: Tx, browser: KnownBrowser): Promise<void> {
  await sql`
    insert into known_browser (company_id, id, user_id, token_sha256, session_id, expires_at)
    values (company_id(), ${browser.id}, ${browser.userId}, ${browser.tokenSha256}, ${browser.sessionId}, ${expiry})`.execute(
    tx,
  );
}

/** Gives a known browser its new token; the old one is void. */
export async function replaceKnownBrowser(tx: Tx, browser: KnownBrowser): Promise<void> {
  await sql`
    update known_browser set token_sha256 = ${browser.tokenSha256}, session_id = ${browser.sessionId}, expires_at = ${expiry}
    where company_id = company_id() and user_id = ${browser.userId} and id = ${browser.id}`.execute(tx);
}

/** The member's browsers are strangers again, but that of the session `exceptId`. */
export async function deleteKnownBrowsers(tx: Tx, userId: string, exceptId: string | null): Promise<void> {
  await sql`
    delete from known_browser
    where company_id = company_id() and user_id = ${userId} and session_id is distinct from ${exceptId}::uuid`.execute(
    tx,
  );
}
