import { defaultTimeZone } from '@causeway/contract/organisation-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Companies that have a digest due, in the order of their ids. */
export async function findCompaniesDue(
  tx: PlatformTx,
  now: Date,
  after: string | null,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from alerts_digests_due(${now}, ${defaultTimeZone}, ${after}, ${most})`.execute(
    tx,
  );
  return rows.map(({ companyId }) => companyId);
}

/** Members of the company whose digest is due. */
export async function findMembersDue(tx: Tx, timeZone: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from alert_choice where company_id = company_id() and ${isDue(timeZone, now)}
    order by user_id`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** A digest that is due: what it begins with. */
export interface DueDigest {
  from: Date;
  isAlwaysSent: boolean;
}

/**
 * Takes a member's digest that is due, and settles it: the next one begins now. Null when another worker has taken it, or the member
 * does not want it any more.
 */
export async function takeDigest(tx: Tx, userId: string, timeZone: string, now: Date): Promise<DueDigest | null> {
  const { rows } = await sql<DueDigest>`
    select digest_through as "from", digest_always as "isAlwaysSent" from alert_choice
    where company_id = company_id() and user_id = ${userId} and ${isDue(timeZone, now)} for update`.execute(tx);
  if (!rows[0]) return null;
  await sql`
    update alert_choice set digest_through = ${now}, digest_settled = ${now}
    where company_id = company_id() and user_id = ${userId}`.execute(tx);
  return rows[0];
}

function isDue(timeZone: string, now: Date) {
  return sql`daily_digest and alert_hour_struck(digest_hour, ${timeZone}, ${now}) > digest_settled`;
}
