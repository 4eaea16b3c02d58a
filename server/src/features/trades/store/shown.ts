import type { TradeActor, TradeState } from '@causeway/contract/trades-rules.ts';
import { type RawBuilder, sql } from 'kysely';

/** What a trade is seen to be, in one place: lists, details, exports, notices and reminders all read it here. Amounts in minor units. */

/**
 * Trades `t` with their chain `c`, their asset `a` and, as `sums`, what the buyer's copy says where the buyer is a company here: of the company's own copy, or
 * of the one that `ofBuyer` finds. `sums.state` is null where no copy of a buyer is here.
 */
const joinsWith = (ofBuyer: RawBuilder<unknown>) => sql`trade t
  join chain c on c.id = t.chain_id
  join asset a on a.id = t.asset_id
  cross join lateral (
    select coalesce(sum(r.amount) filter (where p.status <> 'failed'), 0) as released,
      coalesce(sum(r.amount) filter (where p.status = 'completed'), 0) as paid,
      (array_agg(o.hash order by r.at desc) filter (where o.hash is not null))[1] as hash,
      coalesce(bool_or(p.stage = 'waiting_approval'), false) as waits,
      coalesce(array_agg(r.milestone_id) filter (where p.status <> 'failed'), '{}') as released_milestones,
      coalesce(array_agg(r.milestone_id) filter (where p.status = 'completed'), '{}') as paid_milestones
    from trade_release r
    join transaction p on p.company_id = r.company_id and p.id = r.transaction_id
    left join transaction_chain o on o.company_id = r.company_id and o.transaction_id = r.transaction_id
    where r.company_id = t.company_id and r.trade_id = t.id
  ) own
  left join lateral (select * from ${ofBuyer} where t.side = 'seller') seen on true
  cross join lateral (
    select coalesce(seen.state, case t.side when 'buyer' then t.state end) as state, coalesce(seen.quantity, t.quantity) as quantity,
      coalesce(seen.refunded, t.refunded) as refunded, coalesce(seen.frozen, t.frozen) as frozen,
      coalesce(seen.released, own.released) as released, coalesce(seen.paid, own.paid) as paid, coalesce(seen.hash, own.hash) as hash,
      own.waits as "waitsForApproval", coalesce(seen.released_milestones, own.released_milestones) as "releasedMilestones",
      coalesce(seen.paid_milestones, own.paid_milestones) as "paidMilestones"
  ) sums`;

/** Trades of the transaction's company. */
export const tradeJoins = joinsWith(sql`trade_of_buyer(t.id)`);

/** Trades of all companies, by the rights of operators. */
export const tradeJoinsAnywhere = joinsWith(sql`trade_facts(t.company_id, t.id)`);

/** It follows what the buyer's company did and what its ledger holds; where the buyer is no company here, it is the platform's word. */
export const shownState: RawBuilder<TradeState> = sql`case
  when sums.state is null then t.status
  when sums.state in ('declined', 'cancelled') then 'cancelled'
  when sums.state <> 'frozen' then 'created'
  when sums.paid + sums.refunded < sums.quantity then 'in_progress'
  when sums.paid > 0 then 'success'
  else 'cancelled' end`;

/** What can still be paid to the seller. */
const payable = sql`(sums.quantity - sums.refunded - sums.released)`;

/** The buyer has something to pay: of all of it, or of a milestone that was reached and not paid. Nothing is known of the payments of a buyer who is no company here. */
const isDue = sql`(${payable} > 0 and (t.phase in ('inspected', 'closed') or (sums.state is not null and exists (
  select from jsonb_array_elements(t.milestones) m
  where (m ->> 'reached')::boolean and (m ->> 'amount')::numeric <= ${payable} and (m ->> 'id' = any (sums."releasedMilestones")) is not true))))`;

/** Who must act next; null: no one, because the trade is over, or the rest of it is being paid. */
export const shownActor: RawBuilder<TradeActor | null> = sql`case ${shownState}
  when 'created' then case when sums.state = 'waiting_approval' then 'approvers' else 'buyer' end
  when 'in_progress' then case
    when t.phase = 'disputed' then 'platform'
    when ${isDue} then 'buyer'
    when sums."waitsForApproval" then 'approvers'
    when t.phase = 'agreed' then 'seller'
    when t.phase = 'shipped' then 'platform' end
  end`;
