import type { TradeActor, TradeState } from '@causeway/contract/trades-rules.ts';
import { type RawBuilder, sql } from 'kysely';

/** What a trade is seen to be, in one place: lists, details, exports, notices and reminders all read it here. Amounts in minor units. */

/** Trades `t` with their chain `c`, their asset `a` and, as `sums`, what was paid to the seller. */
export const tradeJoins = sql`trade t
  join chain c on c.id = t.chain_id
  join asset a on a.id = t.asset_id
  cross join lateral (
    select coalesce(sum(r.amount) filter (where p.status <> 'failed'), 0) as released,
      coalesce(sum(r.amount) filter (where p.status = 'completed'), 0) as paid,
      (array_agg(o.hash order by r.at desc) filter (where o.hash is not null))[1] as hash,
      coalesce(bool_or(p.stage = 'waiting_approval'), false) as "waitsForApproval",
      coalesce(array_agg(r.milestone_id) filter (where p.status <> 'failed'), '{}') as "releasedMilestones"
    from trade_release r
    join transaction p on p.company_id = r.company_id and p.id = r.transaction_id
    left join transaction_chain o on o.company_id = r.company_id and o.transaction_id = r.transaction_id
    where r.company_id = t.company_id and r.trade_id = t.id
  ) sums`;

/** The buyer's state follows what its company did and what its ledger holds; the seller's is the platform's word. */
export const shownState: RawBuilder<TradeState> = sql`case
  when t.side = 'seller' then t.status
  when t.state in ('declined', 'cancelled') then 'cancelled'
  when t.state <> 'frozen' then 'created'
  when sums.paid + t.refunded < t.quantity then 'in_progress'
  when sums.paid > 0 then 'success'
  else 'cancelled' end`;

/** What can still be paid to the seller. */
const payable = sql`(t.quantity - t.refunded - sums.released)`;

/** The buyer has something to pay: of all of it, or of a milestone that was reached and not paid. The seller's copy knows nothing of the payments. */
const isDue = sql`(${payable} > 0 and (t.phase in ('inspected', 'closed') or (t.side = 'buyer' and exists (
  select from jsonb_array_elements(t.milestones) m
  where (m ->> 'reached')::boolean and (m ->> 'amount')::numeric <= ${payable} and (m ->> 'id' = any (sums."releasedMilestones")) is not true))))`;

/** Who must act next; null: no one, because the trade is over, or the rest of it is being paid. */
export const shownActor: RawBuilder<TradeActor | null> = sql`case ${shownState}
  when 'created' then case when t.state = 'waiting_approval' then 'approvers' else 'buyer' end
  when 'in_progress' then case
    when t.phase = 'disputed' then 'platform'
    when ${isDue} then 'buyer'
    when sums."waitsForApproval" then 'approvers'
    when t.phase = 'agreed' then 'seller'
    when t.phase = 'shipped' then 'platform' end
  end`;
