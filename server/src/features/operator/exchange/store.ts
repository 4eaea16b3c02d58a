import { listExchangeTerms, listHedgeOrders, type TermsState } from '@causeway/contract/operator-exchange.ts';
import type { HedgeState } from '@causeway/contract/operator-exchange-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { nilCompany } from '../../identity/index.ts';
import { type Limits, noLimits } from './domain.ts';

/** Limits, terms, orders and venues in the database. Amounts of limits in minor units, those of orders in whole ones. */

/** The limits in force; with `lock` they stay as they are until the transaction ends. */
export async function findLimits(tx: PlatformTx, asset: string, { lock }: { lock: boolean }): Promise<Limits> {
  // The lock of the trigger that keeps them.
  if (lock) await sql`select pg_advisory_xact_lock(hashtextextended('exchange limit ' || ${asset}, 0))`.execute(tx);
  const { rows } = await sql<Limits>`
    select most_long as "mostLong", most_short as "mostShort", hedge_from as "hedgeFrom", hedge_to as "hedgeTo"
    from exchange_limit where asset_id = ${asset} order by number desc limit 1`.execute(tx);
  return rows[0] ?? noLimits;
}

export async function insertLimits(
  tx: PlatformTx,
  limits: Limits & { id: string; asset: string; reason: string; setBy: string; proposalId: string | null },
): Promise<void> {
  const { id, asset, mostLong, mostShort, hedgeFrom, hedgeTo, reason, setBy, proposalId } = limits;
  await sql`
    insert into exchange_limit (id, asset_id, most_long, most_short, hedge_from, hedge_to, reason, set_by, proposal_id)
    values (${id}, ${asset}, ${mostLong}, ${mostShort}, ${hedgeFrom}, ${hedgeTo}, ${reason}, ${setBy}, ${proposalId})`.execute(
    tx,
  );
}

export interface PositionFacts {
  asset: string;
  take: bigint | null;
  give: bigint | null;
  venue: string | null;
  orderId: string | null;
  changedAt: Date | null;
  changedBy: string | null;
  confirmedBy: string | null;
  proposalId: string | null;
}

/** What of each asset's position the books do not say. */
export async function findPositionFacts(
  tx: PlatformTx,
  assets: readonly string[],
): Promise<Map<string, PositionFacts>> {
  const { rows } = await sql<PositionFacts>`
    select a.id as asset, r.take, r.give, v.id as venue, o.id as "orderId", l.set_at as "changedAt", by.name as "changedBy",
      two.name as "confirmedBy", p.id as "proposalId"
    from unnest(${[...assets]}::text[]) as a (id)
    cross join lateral exchange_quote_room(a.id) r
    left join lateral (
      select id from exchange_venue where pairs @> jsonb_build_array(jsonb_build_object('asset', a.id)) order by id limit 1) v on true
    left join hedge_order o on o.asset_id = a.id and o.ended_at is null
    left join lateral (select * from exchange_limit where asset_id = a.id order by number desc limit 1) l on true
    left join operator_account by on by.id = l.set_by
    left join operator_proposal done on done.id = l.proposal_id
    left join operator_account two on two.id = done.decided_by
    left join operator_proposal p on p.kind = 'exchange.limit' and p.subject_id = a.id and p.state = 'open' and p.expires_at > now()`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.asset, row]));
}

export interface VenueRow {
  id: string;
  kind: 'kraken' | 'airwallex';
  configured: boolean;
  answeredAt: Date | null;
  failingSince: Date | null;
  problem: string | null;
  balances: Record<string, string>;
  balancesAt: Date | null;
}

export async function findVenues(tx: PlatformTx): Promise<VenueRow[]> {
  const { rows } = await sql<VenueRow>`
    select id, kind, pairs <> '[]' as configured, answered_at as "answeredAt", failing_since as "failingSince", problem, balances,
      balances_at as "balancesAt"
    from exchange_venue order by id`.execute(tx);
  return rows;
}

export interface TermsRow {
  id: string;
  companyId: string | null;
  company: string | null;
  sell: string | null;
  buy: string | null;
  fromUsdCents: bigint;
  basisPoints: number | null;
  validFrom: Date;
  validUntil: Date | null;
  state: TermsState;
  proposalId: string;
  proposedBy: string;
  confirmedBy: string;
  withdrawnAt: Date | null;
  withdrawnBy: string | null;
  withdrawalReason: string | null;
}

const state = sql`case when t.withdrawn_at is not null then 'withdrawn' when t.valid_from > now() then 'planned'
  when t.valid_until <= now() then 'ended' else 'inForce' end`;

export const termsList = defineList(listExchangeTerms, {
  from: () => sql`exchange_terms t`,
  where: () => sql`true`,
  filters: {
    id: (id) => sql`t.id = ${id}`,
    state: (wanted) => sql`${state} = ${wanted}`,
    asset: (asset) => sql`${asset} in (t.sell_asset, t.buy_asset)`,
    companyId: (companyId) => sql`t.company_id = ${companyId}`,
  },
  columns: () =>
    sql<TermsRow>`t.id, nullif(t.company_id, ${nilCompany}) as "companyId",
      (select c.name from company c where c.company_id = t.company_id) as company, t.sell_asset as sell, t.buy_asset as buy,
      t.from_usd_cents as "fromUsdCents", t.basis_points as "basisPoints", t.valid_from as "validFrom",
      nullif(t.valid_until, 'infinity') as "validUntil", ${state} as state, t.proposal_id as "proposalId",
      (select s.name from operator_proposal p join operator_account s on s.id = p.proposed_by where p.id = t.proposal_id) as "proposedBy",
      (select s.name from operator_proposal p join operator_account s on s.id = p.decided_by where p.id = t.proposal_id) as "confirmedBy",
      t.withdrawn_at as "withdrawnAt", (select s.name from operator_account s where s.id = t.withdrawn_by) as "withdrawnBy",
      t.withdrawal_reason as "withdrawalReason"` as RawBuilder<TermsRow>,
  orders: { time: { by: sql`t.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`t.id`,
});

export interface TermsKey {
  companyId: string | null;
  sell: string | null;
  buy: string | null;
  fromUsdCents: string;
}

/** What holds of exactly these terms now; null: none of their own. */
export async function findTerms(
  tx: PlatformTx,
  { companyId, sell, buy, fromUsdCents }: TermsKey,
): Promise<number | null> {
  const { rows } = await sql<{ points: number | null }>`
    select basis_points as points from exchange_terms
    where company_id = ${companyId ?? nilCompany} and sell_asset is not distinct from ${sell} and buy_asset is not distinct from ${buy}
      and from_usd_cents = ${fromUsdCents} and valid_from <= now() and valid_until > now()`.execute(tx);
  return rows[0]?.points ?? null;
}

export async function insertTerms(
  tx: PlatformTx,
  terms: TermsKey & { id: string; basisPoints: number | null; validFrom: string | null; proposalId: string },
): Promise<void> {
  const { id, companyId, sell, buy, fromUsdCents, basisPoints, validFrom, proposalId } = terms;
  await sql`
    insert into exchange_terms (id, company_id, sell_asset, buy_asset, from_usd_cents, basis_points, valid_from, proposal_id)
    values (${id}, ${companyId ?? nilCompany}, ${sell}, ${buy}, ${fromUsdCents}, ${basisPoints}, greatest(${validFrom}::timestamptz, now()),
      ${proposalId})`.execute(tx);
}

/** False when they hold already, were withdrawn before, or are not there. */
export async function withdrawPlanned(
  tx: Tx,
  { id, by, reason }: { id: string; by: string; reason: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update exchange_terms set withdrawn_at = now(), withdrawn_by = ${by}, withdrawal_reason = ${reason}
    where id = ${id} and withdrawn_at is null and valid_from > now()`.execute(tx);
  return numAffectedRows === 1n;
}

export interface HedgeRow {
  id: string;
  venue: string;
  asset: string;
  decimals: number;
  counter: string;
  side: 'buy' | 'sell';
  quantity: string;
  filled: string;
  limitPrice: string;
  averagePrice: string | null;
  state: HedgeState;
  createdAt: Date;
  endedAt: Date | null;
  reason: string | null;
  venueOrderId: string | null;
  position: string;
  mid: string;
  sentAt: Date | null;
  deadlineAt: Date | null;
  openedAt: Date | null;
  askedAt: Date | null;
  cancelledAt: Date | null;
}

const hedgeColumns =
  sql<HedgeRow>`o.id, o.venue_id as venue, o.asset_id as asset, a.decimals, o.counter_id as counter, o.side,
  trim_scale(o.quantity)::text as quantity, trim_scale(o.filled)::text as filled, trim_scale(o.limit_price)::text as "limitPrice",
  (select trim_scale(round(sum(f.cost) / sum(f.quantity), 8))::text from hedge_fill f where f.order_id = o.id) as "averagePrice", o.state,
  o.created_at as "createdAt", o.ended_at as "endedAt", o.reason, o.venue_order_id as "venueOrderId", o.position::text,
  trim_scale(round(o.asset_usd / o.counter_usd, 8))::text as mid, o.sent_at as "sentAt", o.deadline_at as "deadlineAt",
  o.opened_at as "openedAt", o.asked_at as "askedAt", o.cancelled_at as "cancelledAt"` as RawBuilder<HedgeRow>;

export const hedgeList = defineList(listHedgeOrders, {
  from: () => sql`hedge_order o join asset a on a.id = o.asset_id`,
  where: () => sql`true`,
  filters: { state: (wanted) => sql`o.state = ${wanted}`, asset: (asset) => sql`o.asset_id = ${asset}` },
  columns: () => hedgeColumns,
  orders: { time: { by: sql`o.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`o.id`,
});

export async function findHedge(tx: PlatformTx, id: string): Promise<HedgeRow | null> {
  const { rows } = await sql<HedgeRow>`
    select ${hedgeColumns} from hedge_order o join asset a on a.id = o.asset_id where o.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export interface FillRow {
  id: string;
  tradeId: string;
  quantity: string;
  price: string;
  cost: string;
  fee: string;
  feeAsset: string;
  at: Date;
}

export async function findFills(tx: PlatformTx, orderId: string): Promise<FillRow[]> {
  const { rows } = await sql<FillRow>`
    select id, trade_id as "tradeId", trim_scale(quantity)::text as quantity, trim_scale(price)::text as price, trim_scale(cost)::text as cost,
      trim_scale(fee)::text as fee, fee_asset as "feeAsset", at
    from hedge_fill where order_id = ${orderId} order by at, id`.execute(tx);
  return rows;
}
