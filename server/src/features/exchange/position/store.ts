import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** Positions, limits and daily sums, as they are read. Amounts in minor units, as plain decimals: a venue counts in smaller ones. */

export interface Position {
  asset: string;
  decimals: number;
  /** With what is executed and not booked yet; positive: long. */
  minor: string;
  /** Null: no limit, no hedging. */
  mostLong: bigint | null;
  mostShort: bigint | null;
  hedgeFrom: bigint | null;
  hedgeTo: bigint | null;
}

/** Every asset that the platform has a position or limits in. */
export async function findPositions(tx: PlatformTx): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select a.id as asset, a.decimals, exchange_exposure(a.id)::text as minor, l.most_long as "mostLong", l.most_short as "mostShort",
      l.hedge_from as "hedgeFrom", l.hedge_to as "hedgeTo"
    from asset a
    left join exchange_position p on p.asset_id = a.id
    left join lateral (select * from exchange_limit where asset_id = a.id order by number desc limit 1) l on true
    where p.asset_id is not null or l.id is not null
      or exists (select from exchange_due where a.id in (sell_asset, buy_asset))
    order by a.id`.execute(tx);
  return rows;
}

/** What one day added to the position in an asset, from exchanges or from hedges. */
export interface DaySum {
  /** YYYY-MM-DD, UTC. */
  day: string;
  asset: string;
  decimals: number;
  source: 'exchange' | 'hedge';
  amount: string;
  /** At the middle prices at which it was traded, signed as the amount. */
  usd: string;
  feeUsd: string;
}

/** All days, the first one first. */
export async function findDays(tx: PlatformTx): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select d.day::text, d.asset_id as asset, a.decimals, d.source, d.amount::text, d.usd::text, d.fee_usd::text as "feeUsd"
    from exchange_day d join asset a on a.id = d.asset_id order by d.day, d.asset_id, d.source`.execute(tx);
  return rows;
}
