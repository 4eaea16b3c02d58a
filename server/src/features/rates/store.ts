import { valuationCurrency } from '@causeway/contract/rates.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import type { Price } from './domain.ts';

/** The source of the valuation currency's own price, which is 1 at any time. */
export const byDefinition = 'definition';

/** The last price known of each asset; that of the valuation currency itself is always there. */
export async function findPrices(tx: PlatformTx): Promise<Price[]> {
  const { rows } = await sql<Price>`
    select asset_id as asset, usd::text, source, updated_at as "updatedAt" from rate
    union all select ${valuationCurrency}, '1', ${byDefinition}, now()
    order by asset`.execute(tx);
  return rows;
}

/** Keeps prices, each also as that day's; an older one never replaces a newer. */
export async function keepPrices(tx: PlatformTx, prices: readonly Price[]): Promise<void> {
  const assets = prices.map((price) => price.asset);
  const dollars = prices.map((price) => price.usd);
  const sources = prices.map((price) => price.source);
  const times = prices.map((price) => price.updatedAt);
  await sql`
    with kept as (
      insert into rate as r (asset_id, usd, source, updated_at)
      select * from unnest(${assets}::text[], ${dollars}::numeric[], ${sources}::text[], ${times}::timestamptz[])
      on conflict (asset_id) do update
        set usd = excluded.usd, source = excluded.source, updated_at = excluded.updated_at
      where excluded.updated_at >= r.updated_at
      returning asset_id, usd, source, updated_at
    )
    insert into rate_daily (asset_id, day, usd, source, updated_at)
    select asset_id, (updated_at at time zone 'UTC')::date, usd, source, updated_at from kept
    on conflict (asset_id, day) do update set usd = excluded.usd, source = excluded.source, updated_at = excluded.updated_at`.execute(
    tx,
  );
}

/** One asset's last price of one day; `day` as YYYY-MM-DD, UTC. */
export interface DailyPrice {
  asset: string;
  day: string;
  usd: string;
}

/**
 * For each asset and day of `days` (YYYY-MM-DD) the day's own price, else the last one before it; none when there is none. The
 * valuation currency has its price on every day.
 */
export async function findDailyPrices(tx: PlatformTx, days: readonly string[]): Promise<DailyPrice[]> {
  const { rows } = await sql<DailyPrice>`
    select a.asset_id as asset, d.day::text, p.usd::text
    from (select distinct asset_id from rate_daily) as a
    cross join unnest(${[...days]}::date[]) as d (day)
    cross join lateral (
      select usd from rate_daily r where r.asset_id = a.asset_id and r.day <= d.day order by r.day desc limit 1
    ) as p`.execute(tx);
  return [...rows, ...days.map((day) => ({ asset: valuationCurrency, day, usd: '1' }))];
}
