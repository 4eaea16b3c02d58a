-- Limit orders (docs/adr/0085-…): what is sold is held, and exchanged once the rate reaches the limit, or given back when the order's time is over.

alter table causeway.exchange
  -- Whole units bought for one sold, fee not counted; and until when it waits for that.
  add column limit_rate numeric check (limit_rate > 0),
  add column limit_until timestamptz,
  add constraint exchange_limit check (num_nulls(limit_rate, limit_until) in (0, 2)),
  add constraint exchange_limit_side check (limit_rate is null or fixed = 'sell'),
  -- Of every exchange: what is executed is what was submitted, at a price as good as code and approvals are bound to, or better.
  add constraint exchange_within_bound check (executed_at is null or case fixed
    when 'sell' then executed_sold + executed_fee = sold + fee and executed_bought >= bound
    else executed_bought = bought and executed_sold + executed_fee <= bound end);

create index transaction_waiting_rate on causeway.transaction (company_id, id) where stage = 'waiting_rate';

-- It is priced when it is exchanged.
create or replace function causeway.keep_amounts() returns trigger language plpgsql as $$
begin
  if old.type not in ('crypto_exchange_out', 'fiat_exchange_out', 'crypto_payout') or old.stage not in ('waiting_approval', 'waiting_rate') then
    raise exception 'the amounts of a transaction do not change' using errcode = 'CW001';
  end if;
  return new;
end $$;

-- Orders of all companies whose time is over, or whose limit the middle prices have reached before any spread: by their ids, after one of them. The
-- process that exchanges them prices each by itself.
create policy guard on causeway.exchange for select to causeway_owner using (limit_until is not null);
create policy resting on causeway.transaction for select to causeway_owner using (stage = 'waiting_rate');
create function causeway.exchange_limits_due(p_after uuid, p_most integer) returns table (company_id uuid, transaction_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id
  from transaction t
  join exchange e on e.company_id = t.company_id and e.transaction_id = t.id
  join asset sa on sa.id = e.sell_asset
  join asset ba on ba.id = e.buy_asset
  left join rate_mid sold on sold.asset_id = e.sell_asset and sold.problem is null and sold.holds_until > clock_timestamp()
  left join rate_mid bought on bought.asset_id = e.buy_asset and bought.problem is null and bought.holds_until > clock_timestamp()
  where t.stage = 'waiting_rate' and t.id > p_after
    and (e.limit_until <= clock_timestamp()
      or (e.sold + e.fee) * ('1e-' || sa.decimals)::numeric * case when e.sell_asset = 'USD' then 1 else sold.usd end
        >= e.bound * ('1e-' || ba.decimals)::numeric * case when e.buy_asset = 'USD' then 1 else bought.usd end)
  order by t.id limit p_most
$$;
revoke execute on function causeway.exchange_limits_due from public;
grant execute on function causeway.exchange_limits_due to causeway_app;
