import { valuationCurrency } from '@causeway/contract/rates.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Why a middle price is not quoted. */
export type MidProblem = 'none' | 'stale' | 'disagreeing' | 'single';

/** The middle price of an asset in US dollars, for one whole unit. */
export interface Mid {
  asset: string;
  /** A plain decimal; empty where there is none. */
  usd: string;
  /** Since when it holds, as its sources say. */
  at: Date;
  sources: string[];
  problem: MidProblem | null;
}

/** Older than this by the database's clock, a price is not quoted. Milliseconds. */
const freshMs = 60_000;

/** The middle prices of these assets, in their order. */
export async function findMids(tx: Tx, assets: readonly string[]): Promise<Mid[]> {
  const { rows } = await sql<{ asset: string; usd: string | null; at: Date; source: string | null; isFresh: boolean }>`
    select a.id as asset, case when a.id = ${valuationCurrency} then '1' else r.usd::text end as usd,
      coalesce(r.updated_at, clock_timestamp()) as at, case when a.id = ${valuationCurrency} then 'definition' else r.source end as source,
      a.id = ${valuationCurrency} or coalesce(r.updated_at > clock_timestamp() - ${freshMs} * interval '1 millisecond', false) as "isFresh"
    from unnest(${[...assets]}::text[]) with ordinality as a (id, place)
    left join rate r on r.asset_id = a.id and a.id <> ${valuationCurrency}
    order by a.place`.execute(tx);
  return rows.map(({ asset, usd, at, source, isFresh }) => ({
    asset,
    usd: usd ?? '',
    at,
    sources: source === null ? [] : [source],
    problem: usd === null ? 'none' : isFresh ? null : 'stale',
  }));
}
