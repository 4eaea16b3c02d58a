import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** What the position is recomputed by. */

/** One thing that does not agree; an asset where a sum is concerned, an id where a trade or an order is. */
export interface PositionMismatch {
  subject: string;
  problem: string;
}

/** Trades that are not in the position once, with their amounts, and entries of no trade. */
export async function findTradeMismatches(tx: PlatformTx): Promise<PositionMismatch[]> {
  const { rows } = await sql<PositionMismatch>`
    with wanted as (
      select 'exchange' as source, transaction_id as id, 'taken' as side, sell_asset as asset, executed_sold as amount, executed_fee as fee, company_id,
        executed_at as at
      from exchange where executed_at is not null
      union all
      select 'exchange', transaction_id, 'given', buy_asset, -executed_bought, 0, company_id, executed_at from exchange where executed_at is not null
      union all
      select 'hedge', f.id, case l.sign when 1 then 'taken' else 'given' end, l.asset, l.sign * l.units * power(10::numeric, a.decimals),
        case when f.fee_asset = l.asset then -f.fee * power(10::numeric, a.decimals) else 0 end, null, f.at
      from hedge_fill f
      join hedge_order o on o.id = f.order_id
      cross join lateral (select case o.side when 'buy' then 1 else -1 end as sign) s
      cross join lateral (values (o.asset_id, s.sign, f.quantity), (o.counter_id, -s.sign, f.cost)) l (asset, sign, units)
      join asset a on a.id = l.asset
    )
    select coalesce(w.id, e.source_id)::text as subject, format('%s, %s: ', coalesce(w.source, e.source), coalesce(w.side, e.side)) || case
      when w.id is null then 'in the position, and not executed'
      when e.source_id is null and d.exchange_id is null then 'executed, and not in the position'
      when e.source_id is not null and d.exchange_id is not null then 'in the position, and still due'
      else format('%s %s, in the position %s %s', w.amount, w.asset, e.amount, e.asset_id) end as problem
    from wanted w
    full join position_entry e on e.source = w.source and e.source_id = w.id and e.side = w.side
    left join exchange_due d on w.source = 'exchange' and d.company_id = w.company_id and d.exchange_id = w.id
    where w.id is null or (e.source_id is null) = (d.exchange_id is null)
      or (e.source_id is not null and (e.asset_id, e.amount, e.fee, e.company_id, e.at) is distinct from (w.asset, w.amount, w.fee, w.company_id, w.at))
    order by 1, 2`.execute(tx);
  return rows;
}

/** Orders that are filled by something else than their fills. */
export async function findOrderMismatches(tx: PlatformTx): Promise<PositionMismatch[]> {
  const { rows } = await sql<PositionMismatch>`
    select o.id::text as subject, format('hedge: filled %s; its fills make %s', o.filled, coalesce(f.quantity, 0)) as problem
    from hedge_order o
    left join (select order_id, sum(quantity) as quantity from hedge_fill group by 1) f on f.order_id = o.id
    where o.filled <> coalesce(f.quantity, 0)
    order by 1`.execute(tx);
  return rows;
}

/** Positions and days that are not the sums of their entries. */
export async function findSumMismatches(tx: PlatformTx): Promise<PositionMismatch[]> {
  const { rows } = await sql<PositionMismatch>`
    select asset_id as subject, format('position: %s in %s entries; its entries make %s in %s', coalesce(p.minor, 0), coalesce(p.entries, 0),
      coalesce(e.minor, 0), coalesce(e.entries, 0)) as problem
    from exchange_position p
    full join (select asset_id, sum(amount) as minor, count(*) as entries from position_entry group by asset_id) e using (asset_id)
    where (p.minor, p.entries) is distinct from (e.minor, e.entries)
    union all
    select asset_id, format('day %s, %s: its entries make something else', day, source)
    from exchange_day d
    full join (
      select (at at time zone 'UTC')::date as day, asset_id, source, sum(amount) as amount, sum(usd) as usd, sum(fee) as fee,
        sum(fee_usd) as fee_usd, count(*) as entries
      from position_entry group by 1, 2, 3
    ) e using (day, asset_id, source)
    where (d.amount, d.usd, d.fee, d.fee_usd, d.entries) is distinct from (e.amount, e.usd, e.fee, e.fee_usd, e.entries)
    order by 1, 2`.execute(tx);
  return rows;
}

export async function countEntries(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ entries: number }>`select count(*) as entries from position_entry`.execute(tx);
  return rows[0]?.entries ?? 0;
}
