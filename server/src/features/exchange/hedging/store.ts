import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { Exposure } from './domain.ts';
import type { Fill } from './venue.ts';

/** Orders at venues and their fills. All times are the database's. */

export type LiveState = 'stored' | 'sending' | 'unknown' | 'open';

export interface LiveOrder {
  id: string;
  venue: string;
  asset: string;
  counter: string;
  pair: string;
  side: 'buy' | 'sell';
  quantity: string;
  limitPrice: string;
  state: LiveState;
  venueOrderId: string | null;
  filled: string;
  sentAt: Date | null;
  /** Since when it has been stored, open and past its deadline, in milliseconds; null: not yet. */
  ageMs: number;
  openMs: number | null;
  overdueMs: number | null;
}

export async function findLive(tx: PlatformTx, venue: string): Promise<LiveOrder[]> {
  const ms = (since: string) => sql.raw(`(extract(epoch from clock_timestamp() - ${since}) * 1000)::bigint`);
  const { rows } = await sql<LiveOrder>`
    select id, venue_id as venue, asset_id as asset, counter_id as counter, pair, side, quantity::text, limit_price::text as "limitPrice", state,
      venue_order_id as "venueOrderId", filled::text, sent_at as "sentAt", ${ms('created_at')} as "ageMs", ${ms('opened_at')} as "openMs",
      ${ms('deadline_at')} as "overdueMs"
    from hedge_order where venue_id = ${venue} and ended_at is null order by created_at, id`.execute(tx);
  return rows;
}

export interface HedgedPosition extends Exposure {
  asset: string;
  /** Orders in a row that were not taken, and how long ago the last one ended; null: none. */
  failures: number;
  sinceFailureMs: number | null;
}

/** Positions beyond their level without an order under way, of these assets. */
export async function findToHedge(tx: PlatformTx, assets: readonly string[]): Promise<HedgedPosition[]> {
  const { rows } = await sql<HedgedPosition>`
    select a.id as asset, a.decimals, e.minor::text, l.hedge_from as "hedgeFrom", l.hedge_to as "hedgeTo", f.failures::integer,
      (extract(epoch from clock_timestamp() - f.last) * 1000)::bigint as "sinceFailureMs"
    from asset a
    cross join lateral (select exchange_exposure(a.id) as minor) e
    cross join lateral (select hedge_from, hedge_to from exchange_limit where asset_id = a.id order by number desc limit 1) l
    cross join lateral (
      select count(*) as failures, max(ended_at) as last from hedge_order o
      where o.asset_id = a.id and o.state in ('refused', 'notPlaced')
        and o.created_at > coalesce((select max(created_at) from hedge_order d where d.asset_id = a.id and d.state = 'done'), '-infinity')
    ) f
    where a.id = any (${[...assets]}::text[]) and abs(e.minor) >= l.hedge_from
      and not exists (select from hedge_order o where o.asset_id = a.id and o.ended_at is null)
    order by a.id`.execute(tx);
  return rows;
}

/** What a venue was ordered today (UTC): orders, and what they are worth at the middle prices of their time. */
export async function findToday(tx: PlatformTx, venue: string): Promise<{ orders: number; usd: string }> {
  const { rows } = await sql<{ orders: number; usd: string }>`
    select count(*)::integer as orders, coalesce(sum(quantity * asset_usd), 0)::text as usd from hedge_order
    where venue_id = ${venue} and created_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`.execute(
    tx,
  );
  return rows[0] ?? { orders: 0, usd: '0' };
}

export interface NewOrder {
  id: string;
  venue: string;
  asset: string;
  counter: string;
  pair: string;
  side: 'buy' | 'sell';
  quantity: string;
  limitPrice: string;
  assetUsd: string;
  counterUsd: string;
  position: string;
}

/** Stores an order; false where the asset has one under way already. */
export async function insertOrder(tx: PlatformTx, order: NewOrder): Promise<boolean> {
  const { rows } = await sql`
    insert into hedge_order (id, venue_id, asset_id, counter_id, pair, side, quantity, limit_price, asset_usd, counter_usd, position)
    values (${order.id}, ${order.venue}, ${order.asset}, ${order.counter}, ${order.pair}, ${order.side}, ${order.quantity}, ${order.limitPrice},
      ${order.assetUsd}, ${order.counterUsd}, ${order.position})
    on conflict (asset_id) where ended_at is null do nothing returning id`.execute(tx);
  return rows.length > 0;
}

/** From here on it may have been sent. Returns its deadline; null where it is not `stored` any more: another worker has it. */
export async function beginSending(tx: PlatformTx, id: string, deadlineMs: number): Promise<{ deadline: Date } | null> {
  const { rows } = await sql<{ deadline: Date }>`
    update hedge_order set state = 'sending', sent_at = clock_timestamp(), deadline_at = clock_timestamp() + make_interval(secs => ${deadlineMs / 1000})
    where id = ${id} and state = 'stored' returning deadline_at as deadline`.execute(tx);
  return rows[0] ?? null;
}

export async function markOpen(tx: PlatformTx, id: string, venueOrderId: string): Promise<void> {
  await sql`
    update hedge_order set state = 'open', venue_order_id = ${venueOrderId}, opened_at = coalesce(opened_at, clock_timestamp())
    where id = ${id} and state in ('sending', 'unknown')`.execute(tx);
}

export async function markUnknown(tx: PlatformTx, id: string, reason: string | null): Promise<void> {
  await sql`update hedge_order set state = 'unknown', reason = ${reason} where id = ${id} and state = 'sending'`.execute(
    tx,
  );
}

/** It was not taken, or never arrived. */
export async function endUnplaced(
  tx: PlatformTx,
  id: string,
  state: 'refused' | 'notPlaced',
  reason: string,
): Promise<void> {
  await sql`
    update hedge_order set state = ${state}, reason = ${reason.slice(0, 500)}, ended_at = clock_timestamp()
    where id = ${id} and ended_at is null`.execute(tx);
}

export async function markAsked(tx: PlatformTx, id: string): Promise<void> {
  await sql`update hedge_order set asked_at = clock_timestamp() where id = ${id} and ended_at is null`.execute(tx);
}

export async function markCancelled(tx: PlatformTx, id: string): Promise<void> {
  await sql`update hedge_order set cancelled_at = coalesce(cancelled_at, clock_timestamp()) where id = ${id} and ended_at is null`.execute(
    tx,
  );
}

/** Each fill once, whatever is reported how often; with it the position. */
export async function insertFills(
  tx: PlatformTx,
  order: { id: string; venue: string },
  fills: readonly (Fill & { id: string })[],
): Promise<void> {
  const of = (pick: (fill: Fill & { id: string }) => string) => fills.map(pick);
  await sql`
    insert into hedge_fill (id, order_id, venue_id, trade_id, quantity, price, cost, fee, fee_asset, at)
    select f.id, ${order.id}, ${order.venue}, f.trade_id, f.quantity, f.price, f.cost, f.fee, f.fee_asset, f.at
    from unnest(${of(({ id }) => id)}::uuid[], ${of(({ tradeId }) => tradeId)}::text[], ${of(({ quantity }) => quantity)}::numeric[],
      ${of(({ price }) => price)}::numeric[], ${of(({ cost }) => cost)}::numeric[], ${of(({ fee }) => fee)}::numeric[],
      ${of(({ feeAsset }) => feeAsset)}::text[], ${fills.map(({ at }) => at)}::timestamptz[])
      as f (id, trade_id, quantity, price, cost, fee, fee_asset, at)
    on conflict (venue_id, trade_id) do nothing`.execute(tx);
  await sql`
    update hedge_order set filled = (select coalesce(sum(quantity), 0) from hedge_fill where order_id = ${order.id})
    where id = ${order.id} and ended_at is null`.execute(tx);
}

export async function endDone(tx: PlatformTx, id: string, reason: string | null): Promise<void> {
  await sql`
    update hedge_order set state = 'done', reason = ${reason}, ended_at = clock_timestamp() where id = ${id} and ended_at is null`.execute(
    tx,
  );
}

/** How many orders there are of which no venue has said what became of them. */
export async function countUnknown(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::integer as unknown from hedge_order where ended_at is null and state in ('sending', 'unknown')`.execute(
    tx,
  );
  return rows[0]?.unknown ?? 0;
}
