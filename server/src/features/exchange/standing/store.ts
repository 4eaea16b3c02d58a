import type { ErrorDetails } from '@causeway/contract/errors.ts';
import type {
  StandingOutcome,
  StandingPeriod,
  StandingRule,
  StandingStop,
} from '@causeway/contract/standing-orders-rules.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type OrderSide, sideOf } from '../store/limit-orders.ts';

/** A standing order as it is written; amounts in minor units of the sold asset. */
export interface NewStandingOrder {
  id: string;
  memberId: string;
  memberName: string;
  sellWalletId: string;
  buyWalletId: string;
  rule: StandingRule;
  amountMinor: bigint;
  every: StandingPeriod;
  day: number;
  time: string;
  timeZone: string;
  toleranceBasisPoints: number;
  lastDay: string | null;
  digest: string;
  proof: { method: string; id: string };
}

/** One order after another of a company: how many it has running is counted behind this lock. */
export async function countRunning(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('exchange.standing ' || company_id(), 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from standing_order where company_id = company_id() and next_at is not null`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** The first turn after now, and whether it is after the last day. */
export async function firstTurn(
  tx: Tx,
  { every, day, time, timeZone, lastDay }: Pick<NewStandingOrder, 'every' | 'day' | 'time' | 'timeZone' | 'lastDay'>,
): Promise<{ nextAt: Date; isAfterLast: boolean }> {
  const { rows } = await sql<{ nextAt: Date; isAfterLast: boolean }>`
    select next as "nextAt", coalesce((next at time zone ${timeZone})::date > ${lastDay}::date, false) as "isAfterLast"
    from standing_next(${every}, ${day}::smallint, ${time}::time, ${timeZone}, clock_timestamp()) as next`.execute(tx);
  const [row] = rows;
  invariant(row?.nextAt, 'a day comes round again');
  return row;
}

export async function insertStandingOrder(tx: Tx, order: NewStandingOrder, nextAt: Date): Promise<void> {
  await sql`
    insert into standing_order (company_id, id, member_id, member_name, sell_wallet_id, buy_wallet_id, rule, amount, every, day, at_time,
      time_zone, tolerance_bp, last_day, digest, proof, next_at)
    values (company_id(), ${order.id}, ${order.memberId}, ${order.memberName}, ${order.sellWalletId}, ${order.buyWalletId}, ${order.rule},
      ${order.amountMinor.toString()}::numeric, ${order.every}, ${order.day}, ${order.time}::time, ${order.timeZone},
      ${order.toleranceBasisPoints}, ${order.lastDay}::date, decode(${order.digest}, 'hex'), ${JSON.stringify(order.proof)}::jsonb,
      ${nextAt})`.execute(tx);
}

/** A standing order; amounts in minor units of the sold asset. */
export interface StandingOrderRow extends Omit<NewStandingOrder, 'digest' | 'proof'> {
  sell: OrderSide;
  buy: OrderSide;
  createdAt: Date;
  nextAt: Date | null;
  stoppedAt: Date | null;
  stopReason: StandingStop | null;
  stoppedByName: string | null;
}

/** The company's, or the one with this id: those that run first, by their next turn, then the others, the latest first. */
export async function findStandingOrders(tx: Tx, id: string | null = null): Promise<StandingOrderRow[]> {
  const { rows } = await sql<StandingOrderRow>`
    select s.id, s.member_id as "memberId", s.member_name as "memberName", s.sell_wallet_id as "sellWalletId",
      s.buy_wallet_id as "buyWalletId", s.rule, s.amount as "amountMinor", s.every, s.day, to_char(s.at_time, 'HH24:MI') as time,
      s.time_zone as "timeZone", s.tolerance_bp as "toleranceBasisPoints", to_char(s.last_day, 'YYYY-MM-DD') as "lastDay",
      ${sideOf('sw')} as sell, ${sideOf('bw')} as buy, s.created_at as "createdAt", s.next_at as "nextAt", s.stopped_at as "stoppedAt",
      s.stop_reason as "stopReason", (select concat_ws(' ', m.first_name, m.last_name) from member m
        where m.company_id = s.company_id and m.id = s.stopped_by) as "stoppedByName"
    from standing_order s
    join wallet sw on sw.company_id = s.company_id and sw.id = s.sell_wallet_id
    join wallet bw on bw.company_id = s.company_id and bw.id = s.buy_wallet_id
    where s.company_id = company_id() and (${id}::uuid is null or s.id = ${id}::uuid)
    order by s.next_at nulls last, s.stopped_at desc nulls last, s.id`.execute(tx);
  return rows;
}

/** Minor units of the sold, and of the bought asset: as it was executed, else as it was submitted. */
export interface TurnRow {
  orderId: string;
  dueAt: Date;
  at: Date;
  outcome: StandingOutcome;
  error: string | null;
  blanks: ErrorDetails;
  exchange: { id: string; stage: Stage; sold: string; bought: string } | null;
}

/** The last turns of each order of the company, the newest first. */
export async function findTurns(tx: Tx, mostOfEach: number): Promise<TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select t.order_id as "orderId", t.due_at as "dueAt", t.at, t.outcome, t.error, t.blanks,
      case when e.transaction_id is not null then jsonb_build_object('id', e.transaction_id, 'stage', x.stage,
        'sold', coalesce(e.executed_sold + e.executed_fee, e.sold + e.fee)::text, 'bought', coalesce(e.executed_bought, e.bought)::text) end as exchange
    from standing_order s
    cross join lateral (
      select * from standing_order_turn t where t.company_id = s.company_id and t.order_id = s.id order by t.due_at desc limit ${mostOfEach}
    ) t
    left join exchange e on e.company_id = t.company_id and e.transaction_id = t.exchange_id
    left join transaction x on x.company_id = e.company_id and x.id = e.transaction_id
    where s.company_id = company_id()
    order by t.due_at desc`.execute(tx);
  return rows;
}

/** Locks an order of which a turn is due; null where none is, or where another process takes it. */
export async function lockDue(tx: Tx, id: string): Promise<StandingOrderRow | null> {
  const { rows } = await sql`
    select 1 from standing_order where company_id = company_id() and id = ${id} and next_at <= clock_timestamp()
    for update skip locked`.execute(tx);
  return rows.length === 0 ? null : ((await findStandingOrders(tx, id))[0] ?? null);
}

/** Writes the turn that was due, and the order's next one: the first after now, or none after its last day. */
export async function keepTurn(
  tx: Tx,
  { id, nextAt }: Pick<StandingOrderRow, 'id' | 'nextAt'>,
  turn: Pick<TurnRow, 'outcome' | 'error' | 'blanks'> & { exchangeId: string | null },
): Promise<void> {
  await sql`
    insert into standing_order_turn (company_id, order_id, due_at, at, outcome, exchange_id, error, blanks)
    values (company_id(), ${id}, ${nextAt}, clock_timestamp(), ${turn.outcome}, ${turn.exchangeId}, ${turn.error},
      ${JSON.stringify(turn.blanks)}::jsonb)`.execute(tx);
  await sql`
    update standing_order s set next_at = case when n.is_over then null else n.next end,
      stopped_at = case when n.is_over then now() end, stop_reason = case when n.is_over then 'ended' end
    from (
      select o.id, next, coalesce((next at time zone o.time_zone)::date > o.last_day, false) as is_over
      from standing_order o cross join lateral standing_next(o.every, o.day, o.at_time, o.time_zone, clock_timestamp()) as next
      where o.company_id = company_id() and o.id = ${id}
    ) n
    where s.company_id = company_id() and s.id = n.id`.execute(tx);
}

/** Stops an order that runs. @returns whether it ran */
export async function stopOrder(tx: Tx, id: string, reason: StandingStop, by: string | null): Promise<boolean> {
  const { rows } = await sql`
    update standing_order set next_at = null, stopped_at = now(), stop_reason = ${reason}, stopped_by = ${by}
    where company_id = company_id() and id = ${id} and next_at is not null returning 1`.execute(tx);
  return rows.length > 0;
}

export async function findDueStanding(tx: PlatformTx, most: number): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await sql<{ companyId: string; id: string }>`
    select company_id as "companyId", id from standing_orders_due(${most})`.execute(tx);
  return rows;
}
