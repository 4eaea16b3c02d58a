import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** Old rows stay for a day after they have expired, for investigations. */
const past = sql`now() - interval '1 day'`;

/** What expires, by table: its key and what marks the rows that are over. The worker's policies say the same (0023, 0029, 0054). */
const kinds = {
  session: { key: sql`company_id, id`, over: sql`expires_at < ${past}` },
  sign_in_ticket: { key: sql`company_id, id`, over: sql`expires_at < ${past}` },
  known_browser: { key: sql`company_id, id`, over: sql`expires_at < ${past}` },
  trusted_browser: { key: sql`company_id, id`, over: sql`expires_at < ${past}` },
  // A code that confirmed a transaction belongs to the transaction's record.
  verification_code: {
    key: sql`company_id, id`,
    over: sql`expires_at < ${past} and (used_at is null or scenario <> 'transaction')`,
  },
  passkey_challenge: { key: sql`company_id, challenge_sha256`, over: sql`expires_at < ${past}` },
  code_guard: { key: sql`company_id, subject, scenario`, over: sql`window_ends_at < ${past}` },
} satisfies Record<string, { key: RawBuilder<unknown>; over: RawBuilder<unknown> }>;

export type Expiring = keyof typeof kinds;
export const expiringKinds = Object.keys(kinds) as Expiring[];

/**
 * Removes at most `limit` rows that have expired, of any company, and returns how many. The condition is there twice: a row
 * that was renewed while this waited for it is asked again.
 */
export async function removeExpired(tx: PlatformTx, kind: Expiring, limit: number): Promise<number> {
  const { key, over } = kinds[kind];
  const table = sql.table(kind);
  const { numAffectedRows } = await sql`
    delete from ${table} where (${key}) in (select ${key} from ${table} where ${over} limit ${limit}) and ${over}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
