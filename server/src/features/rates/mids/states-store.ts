import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { MidProblem, PriceFault } from './domain.ts';

/** How the sources and the mids do, for operators: what health checks, the queue and the page of rates read. */

export interface SourceState {
  source: string;
  role: 'price' | 'band';
  succeededAt: Date | null;
  failedAt: Date | null;
  /** Why it cannot be asked, `silent` where no worker has asked it for three turns; null: it answers. */
  problem: string | null;
  /** How many prices it says, and those that were not used. */
  prices: number;
  leftOut: { asset: string; fault: PriceFault }[];
}

/** Every configured source that was ever asked. */
export async function findSourceStates(tx: PlatformTx): Promise<SourceState[]> {
  const { rows } = await sql<SourceState>`
    select s.source, s.role, s.succeeded_at as "succeededAt", s.failed_at as "failedAt",
      coalesce(s.problem, case when s.due_at < clock_timestamp() then 'silent' end) as problem, said.prices, said."leftOut"
    from rate_source s
    cross join lateral (
      select count(*) as prices,
        coalesce(jsonb_agg(jsonb_build_object('asset', asset_id, 'fault', left_out) order by asset_id)
          filter (where left_out is not null), '[]') as "leftOut"
      from rate_source_price p where p.source = s.source
    ) said
    order by s.role desc, s.source`.execute(tx);
  return rows;
}

export interface MidState {
  asset: string;
  usd: string | null;
  at: Date | null;
  sources: string[];
  needed: number;
  problem: MidProblem | null;
  problemSince: Date | null;
  /** Whether as many sources as are needed say prices of it, usable or not: otherwise it is not meant to be quoted. */
  isCovered: boolean;
}

/** Every asset that a source ever had a price of. */
export async function findMidStates(tx: PlatformTx): Promise<MidState[]> {
  const { rows } = await sql<MidState>`
    select m.asset_id as asset, m.usd::text, m.at, m.sources, m.needed,
      coalesce(m.problem, case when m.holds_until <= clock_timestamp() then 'stale' end) as problem,
      coalesce(m.problem_since, case when m.holds_until <= clock_timestamp() then m.holds_until end) as "problemSince",
      m.needed <= (select count(*) from rate_source_price p join rate_source s using (source)
        where p.asset_id = m.asset_id and s.role = 'price') as "isCovered"
    from rate_mid m order by m.asset_id`.execute(tx);
  return rows;
}
