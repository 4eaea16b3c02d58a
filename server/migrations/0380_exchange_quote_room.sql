-- Quotes read the position's room without what the desk's open quotes may come to: those prices are firm, and executing one asks for no room any more.

-- By the start of the statement as well, for which the index of open quotes serves; no clock of a moment does.
create or replace function causeway.otc_room(p_asset text, p_except uuid) returns table (take numeric, give numeric)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  with promised as (
    select q.sell_asset, q.sold, q.buy_asset, q.bought from exchange_quote q
    where q.otc_request_id is not null and q.otc_request_id is distinct from p_except
      and q.expires_at > statement_timestamp() and q.expires_at > clock_timestamp()
      and not exists (select from exchange e where e.company_id = q.company_id and e.transaction_id = q.used_by and e.executed_at is not null)
  )
  -- No limit stays none: GREATEST would leave its null out.
  select case when r.take is not null then greatest(r.take - coalesce((select sum(sold) from promised where sell_asset = p_asset), 0), 0) end,
    case when r.give is not null then greatest(r.give - coalesce((select sum(bought) from promised where buy_asset = p_asset), 0), 0) end
  from exchange_room(p_asset) r
$$;

-- Without the choice of a request, so that no process of the companies reads what the desk offers to one of them.
create function causeway.exchange_quote_room(p_asset text) returns table (take numeric, give numeric)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select take, give from otc_room(p_asset, null)
$$;
revoke execute on function causeway.exchange_quote_room from public;
grant execute on function causeway.exchange_quote_room to causeway_app, causeway_batch, causeway_look, causeway_console;
revoke execute on function causeway.exchange_room from causeway_app, causeway_batch, causeway_look, causeway_worker, causeway_operator, causeway_console;
