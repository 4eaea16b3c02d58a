import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** Positions, limits and daily sums, as they are read, and the booking of exchanges. Amounts in minor units, as plain decimals: a venue counts in smaller ones. */

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

/** Books at most so many; returns how many. Each exchange is taken off `exchange_due` in the statement that writes its two entries; a second pair is a unique violation. */
export async function bookDue(tx: PlatformTx, most: number): Promise<number> {
  const { rows } = await sql<{ booked: number }>`
    with due as (
      select company_id, exchange_id from exchange_due order by created_at, company_id, exchange_id
      limit ${most} for update skip locked
    ),
    trade as (
      select e.*, q.sell_usd / power(10::numeric, s.decimals) as sell_usd_minor, q.buy_usd / power(10::numeric, b.decimals) as buy_usd_minor
      from due d
      join exchange e on e.company_id = d.company_id and e.transaction_id = d.exchange_id
      join exchange_quote q on q.company_id = e.company_id and q.id = e.executed_quote_id
      join asset s on s.id = e.sell_asset
      join asset b on b.id = e.buy_asset
    ),
    entries as (
      insert into position_entry (source, source_id, side, asset_id, company_id, amount, usd, fee, fee_usd, at)
      select 'exchange', transaction_id, 'taken', sell_asset, company_id, executed_sold, executed_sold * sell_usd_minor, executed_fee,
        executed_fee * sell_usd_minor, executed_at from trade
      union all
      select 'exchange', transaction_id, 'given', buy_asset, company_id, -executed_bought, -executed_bought * buy_usd_minor, 0, 0, executed_at
      from trade
    ),
    gone as (
      delete from exchange_due d using trade t where d.company_id = t.company_id and d.exchange_id = t.transaction_id returning 1
    )
    select count(*) as booked from gone`.execute(tx);
  return rows[0]?.booked ?? 0;
}

/** How much of its limit, on the side on which it is, the position in each asset uses, per cent; null: it has none. */
export async function findUsed(tx: PlatformTx): Promise<{ asset: string; percent: number | null }[]> {
  const { rows } = await sql<{ asset: string; percent: number | null }>`
    select a.id as asset, (abs(e.minor) * 100 / nullif(case when e.minor < 0 then l.most_short else l.most_long end, 0))::float8 as percent
    from asset a
    cross join lateral (select exchange_exposure(a.id) as minor) e
    cross join lateral (select most_long, most_short from exchange_limit where asset_id = a.id order by number desc limit 1) l`.execute(
    tx,
  );
  return rows;
}

/** How many executed exchanges are not booked yet. */
export async function countDue(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ due: number }>`select count(*)::integer as due from exchange_due`.execute(tx);
  return rows[0]?.due ?? 0;
}
