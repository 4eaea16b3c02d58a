import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';

/** What is known of the venues themselves. */

export interface VenueFacts {
  id: string;
  kind: string;
  /** What it hedges, and against what. */
  pairs: readonly { asset: string; counter: string }[];
  lowBalances: Readonly<Record<string, string>>;
}

/** Writes the configured venues down, and that others are configured no more. */
export async function keepVenues(tx: PlatformTx, venues: readonly VenueFacts[]): Promise<void> {
  for (const { id, kind, pairs, lowBalances } of venues) {
    await sql`
      insert into exchange_venue (id, kind, pairs, low_balances) values (${id}, ${kind}, ${JSON.stringify(pairs)}, ${JSON.stringify(lowBalances)})
      on conflict (id) do update set kind = excluded.kind, pairs = excluded.pairs, low_balances = excluded.low_balances, updated_at = now()`.execute(
      tx,
    );
  }
  await sql`
    update exchange_venue set pairs = '[]', failing_since = null, problem = null, updated_at = now()
    where not id = any (${venues.map(({ id }) => id)}::text[]) and pairs <> '[]'`.execute(tx);
}

/** The next nonce of a venue's key, committed before it is used. */
export function nextNonce(database: Database, venue: string): Promise<string> {
  return database.withoutCompany(async (tx) => {
    const { rows } = await sql<{ nonce: string }>`select next_venue_nonce(${venue})::text as nonce`.execute(tx);
    const nonce = rows[0]?.nonce;
    if (nonce === undefined || nonce === null) throw new Error(`the venue ${venue} is not known`);
    return nonce;
  });
}

export async function markAnswered(
  tx: PlatformTx,
  venue: string,
  balances?: Readonly<Record<string, string>>,
): Promise<void> {
  await sql`
    update exchange_venue set answered_at = clock_timestamp(), failing_since = null, problem = null,
      balances = coalesce(${balances ? JSON.stringify(balances) : null}::jsonb, balances),
      balances_at = case when ${balances !== undefined}::boolean then clock_timestamp() else balances_at end
    where id = ${venue}`.execute(tx);
}

export async function markFailing(tx: PlatformTx, venue: string, problem: string): Promise<void> {
  await sql`
    update exchange_venue set failing_since = coalesce(failing_since, clock_timestamp()), problem = ${problem.slice(0, 500)}
    where id = ${venue}`.execute(tx);
}

/** For how many seconds each configured venue has not answered; 0: it does. */
export async function findSilence(tx: PlatformTx): Promise<{ id: string; seconds: number }[]> {
  const { rows } = await sql<{ id: string; seconds: number }>`
    select id, coalesce(extract(epoch from now() - failing_since), 0)::float8 as seconds from exchange_venue where pairs <> '[]'`.execute(
    tx,
  );
  return rows;
}
