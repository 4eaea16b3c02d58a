-- Quotes and their use: who may write what, prices of exchanges, and the ports that position and spreads by size are read through.

-- Submissions are served in batches (ADR 63).
call causeway.admit_batches('causeway.exchange_quote', 'select');
call causeway.admit_batches('causeway.exchange_quote', 'update', 'used_by', 'used_at');
call causeway.admit_batches('causeway.exchange', 'insert');
call causeway.admit_batches('causeway.exchange_seal', 'insert');

-- Fails the transaction unless every quote that a statement uses up was unused.
create function causeway.exchange_require_used(p_used bigint, p_asked bigint) returns void language plpgsql as $$
begin
  if p_used <> p_asked then
    raise exception 'of % quotes to be used up, % were unused', p_asked, p_used using errcode = 'assert_failure';
  end if;
end $$;

-- The sweep of quotes that were never used, across companies.
create policy worker_sweeps on causeway.exchange_quote to causeway_worker using (used_by is null) with check (false);
create index exchange_quote_used on causeway.exchange_quote (company_id, used_by) where used_by is not null;

-- A transaction with the company's own wallet has no account that a list could name.
alter table causeway.risk_flow alter column account_kind drop not null;

-- What is exchanged may be priced anew when it is approved: the sold side's amounts follow, and those of no other type ever change.
grant update (quantity, fee, amount_whole, counter_quantity, rate, rate_source, rate_at, quote_id) on causeway.transaction to causeway_app;
create function causeway.keep_amounts() returns trigger language plpgsql as $$
begin
  if old.type not in ('crypto_exchange_out', 'fiat_exchange_out') or old.stage <> 'waiting_approval' then
    raise exception 'the amounts of a transaction do not change' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger amounts_kept before update of quantity, fee, amount_whole, counter_quantity, rate, rate_source, rate_at, quote_id
  on causeway.transaction for each row when (current_user = 'causeway_app') execute function causeway.keep_amounts();

-- The fee of an exchange is a price of the operator too: basis points of what is exchanged, of the sold asset.
alter table causeway.operator_price drop constraint operator_price_kind_check,
  add constraint operator_price_kind_check check (kind in ('withdrawal_fee', 'withdrawal_minimum', 'recharge_minimum', 'transfer_limit',
    'daily_limit', 'spread', 'payout_fee_local', 'payout_fee_swift', 'fx_fee')),
  add check (kind <> 'fx_fee' or value <= 10000);

-- The fee in force for a company's exchanges of an asset at an instant, as `prices_at` says the other prices; null where none is set.
create function causeway.fx_fee_at(p_company uuid, p_asset text, p_at timestamptz) returns numeric language sql stable as $$
  select coalesce(max(o.value) filter (where o.company_id = p_company), max(o.value))
  from causeway.operator_price o
  where o.asset_id = p_asset and o.kind = 'fx_fee' and o.company_id in (p_company, '00000000-0000-0000-0000-000000000000')
    and o.valid_until > p_at and o.valid_from <= p_at
$$;

-- How much more of an asset the platform takes and gives, in minor units; null: no limit. Position limits replace it.
create function causeway.exchange_room(p_asset text) returns table (take numeric, give numeric) language sql stable as $$
  select null::numeric, null::numeric
$$;

-- What is added to the spreads of both assets, in basis points, for an exchange worth so many US cents. Spreads by pair and size replace it.
create function causeway.exchange_spread(p_company uuid, p_sell text, p_buy text, p_usd_cents numeric) returns integer
language sql stable as $$
  select 0
$$;
