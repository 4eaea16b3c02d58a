import { valuationCurrency } from '@causeway/contract/rates.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** Middle prices over time. */

interface MidPoint {
  asset: string;
  at: Date;
  usd: string;
}

/** The last mid of each step since `from`, in the order of time; a step is named by its beginning. The dollar has none. */
export async function findPoints(
  tx: PlatformTx,
  { assets, grain, from, stepMs }: { assets: readonly string[]; grain: 'minute' | 'hour'; from: Date; stepMs: number },
): Promise<MidPoint[]> {
  const { rows } = await sql<MidPoint>`
    select distinct on (step.at, p.asset_id) p.asset_id as asset, step.at, p.usd::text
    from rate_mid_point p
    cross join lateral (
      select date_bin(${stepMs} * interval '1 millisecond', p.at, timestamptz '2000-01-01 00:00:00Z') as at
    ) step
    where p.asset_id = any (${[...assets]}::text[]) and p.grain = ${grain} and p.at >= ${from}
    order by step.at, p.asset_id, p.at desc`.execute(tx);
  return rows;
}

/** An older point says too little about an instant. */
const mostBeforeHours = 2;

/** What each asset cost in US dollars at an instant of the last two days, where that is known. */
export async function findUsdAgo(tx: PlatformTx, at: Date): Promise<Map<string, string>> {
  const { rows } = await sql<{ asset: string; usd: string }>`
    select distinct on (asset_id) asset_id as asset, usd::text from rate_mid_point
    where grain = 'minute' and at <= ${at} and at > ${at}::timestamptz - make_interval(hours => ${mostBeforeHours})
    order by asset_id, at desc`.execute(tx);
  return new Map([[valuationCurrency, '1'], ...rows.map(({ asset, usd }) => [asset, usd] as const)]);
}
