import { otcDefaultMinimumCents } from '@causeway/contract/otc-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** From which worth on the desk is asked, in US cents. */
export async function findMinimumCents(tx: PlatformTx): Promise<bigint> {
  const { rows } = await sql<{ usdCents: bigint }>`
    select usd_cents as "usdCents" from otc_minimum order by number desc limit 1`.execute(tx);
  return rows[0]?.usdCents ?? otcDefaultMinimumCents;
}
