import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database.ts';
import type { Price } from './domain.ts';

/** The last price known of each coin. */
export async function findPrices(tx: PlatformTx): Promise<Price[]> {
  const { rows } = await sql<Price>`
    select coin, usd::text, updated_at as "updatedAt" from rate order by coin`.execute(tx);
  return rows;
}

/** Keeps prices, each also as that day's; an older one never replaces a newer. */
export async function keepPrices(tx: PlatformTx, prices: readonly Price[]): Promise<void> {
  const coins = prices.map((price) => price.coin);
  const dollars = prices.map((price) => price.usd);
  const times = prices.map((price) => price.updatedAt);
  await sql`
    with kept as (
      insert into rate as r (coin, usd, updated_at)
      select * from unnest(${coins}::text[], ${dollars}::numeric[], ${times}::timestamptz[])
      on conflict (coin) do update set usd = excluded.usd, updated_at = excluded.updated_at
      where excluded.updated_at >= r.updated_at
      returning coin, usd, updated_at
    )
    insert into rate_daily (coin, day, usd)
    select coin, (updated_at at time zone 'UTC')::date, usd from kept
    on conflict (coin, day) do update set usd = excluded.usd`.execute(tx);
}

/** One coin's last price of one day; `day` as YYYY-MM-DD, UTC. */
export interface DailyPrice {
  coin: string;
  day: string;
  usd: string;
}

/** For each coin and day of `days` (YYYY-MM-DD) the day's own price, else the last one before it; none when there is none. */
export async function findDailyPrices(tx: PlatformTx, days: readonly string[]): Promise<DailyPrice[]> {
  const { rows } = await sql<DailyPrice>`
    select c.coin, d.day::text, p.usd::text
    from (select distinct coin from rate_daily) as c
    cross join unnest(${[...days]}::date[]) as d (day)
    cross join lateral (
      select usd from rate_daily r where r.coin = c.coin and r.day <= d.day order by r.day desc limit 1
    ) as p`.execute(tx);
  return rows;
}
