-- The platform's position in each asset, its limits, and what is added to a spread by pair and size (docs/adr/0083-…). Written by
-- the worker and the operator's console alone.

-- Executed exchanges that the position does not contain yet. A row is there from the commit that executes the exchange until the commit that books it, so
-- that no exchange is missed, however late it commits; limits count it from the first of the two on.
create table causeway.exchange_due (
  company_id uuid not null,
  exchange_id uuid not null,
  -- Positive for what the platform takes.
  sell_asset text not null,
  sold numeric(78, 0) not null,
  buy_asset text not null,
  bought numeric(78, 0) not null,
  created_at timestamptz not null default now(),
  primary key (company_id, exchange_id)
);
create index exchange_due_time on causeway.exchange_due (created_at, company_id, exchange_id);
call causeway.fence('causeway.exchange_due');
create policy worker on causeway.exchange_due to causeway_worker using (true) with check (true);
create policy counter on causeway.exchange_due to causeway_owner using (true) with check (true);
grant select, delete on causeway.exchange_due to causeway_worker;
-- The right to update a column is what FOR UPDATE asks for.
grant update (created_at) on causeway.exchange_due to causeway_worker;
grant select on causeway.exchange_due to causeway_operator, causeway_console;

create function causeway.note_executed() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into exchange_due (company_id, exchange_id, sell_asset, sold, buy_asset, bought)
  values (new.company_id, new.transaction_id, new.sell_asset, new.executed_sold, new.buy_asset, new.executed_bought);
  return null;
end $$;
create trigger noted after insert on causeway.exchange for each row when (new.executed_at is not null)
  execute function causeway.note_executed();
create trigger noted_later after update of executed_at on causeway.exchange for each row
  when (old.executed_at is null and new.executed_at is not null) execute function causeway.note_executed();

-- What was executed does not change any more: the position was summed from it.
create function causeway.keep_executed() returns trigger language plpgsql as $$
begin
  raise exception 'an executed exchange does not change' using errcode = 'CW001';
end $$;
create trigger kept before update on causeway.exchange for each row when (old.executed_at is not null)
  execute function causeway.keep_executed();

create policy worker_reads on causeway.exchange_quote for select to causeway_worker using (true);

-- Positive: the platform holds it beyond what it owes (long). Minor units; a venue counts in smaller ones than some currencies have, hence decimals.
-- Fees, earned or paid, are not part of it.
create table causeway.exchange_position (
  asset_id text primary key references causeway.asset (id),
  minor numeric not null default 0,
  entries bigint not null default 0,
  updated_at timestamptz not null default now()
);
grant select on causeway.exchange_position to causeway_worker, causeway_operator, causeway_console;
grant insert, update on causeway.exchange_position to causeway_worker;

-- Each trade once for each of its two sides.
create table causeway.position_entry (
  source text not null check (source in ('exchange', 'hedge')),
  -- The exchange, or the fill at a venue.
  source_id uuid not null,
  side text not null check (side in ('taken', 'given')),
  asset_id text not null references causeway.asset (id),
  company_id uuid,
  amount numeric not null check (amount <> 0 and (amount > 0) = (side = 'taken')),
  -- In US dollars, at the middle price at which it was traded; what both sides of a trade differ by is its spread, or the price of a hedge.
  usd numeric not null,
  -- Of the asset, beside the amount: positive where the platform earns it (fx_fee), negative where it pays it to a venue.
  fee numeric not null default 0,
  fee_usd numeric not null default 0,
  at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (source, source_id, side),
  check ((source = 'exchange') = (company_id is not null))
);
create index position_entry_time on causeway.position_entry (at desc, source_id);
create index position_entry_asset on causeway.position_entry (asset_id, at desc);
create trigger append_only before update or delete or truncate on causeway.position_entry
  for each statement execute function causeway.refuse_change();
call causeway.fence('causeway.position_entry');
create policy worker on causeway.position_entry to causeway_worker using (true) with check (true);
create policy counter on causeway.position_entry to causeway_owner using (true) with check (true);
grant select, insert on causeway.position_entry to causeway_worker;
grant select on causeway.position_entry to causeway_operator, causeway_console;

-- The same by day (UTC, of the trade): what profit and loss is computed from.
create table causeway.exchange_day (
  day date not null,
  asset_id text not null references causeway.asset (id),
  source text not null,
  amount numeric not null,
  usd numeric not null,
  fee numeric not null,
  fee_usd numeric not null,
  entries bigint not null,
  primary key (day, asset_id, source)
);
grant select, insert, update on causeway.exchange_day to causeway_worker;
grant select on causeway.exchange_day to causeway_operator, causeway_console;

-- Sums are kept by the database with each entry, so that they cannot differ from the entries by a mistake of one writer.
create function causeway.sum_positions() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into exchange_position as p (asset_id, minor, entries)
  select asset_id, sum(amount), count(*) from added group by asset_id order by asset_id
  on conflict (asset_id) do update set minor = p.minor + excluded.minor, entries = p.entries + excluded.entries, updated_at = now();
  insert into exchange_day as d (day, asset_id, source, amount, usd, fee, fee_usd, entries)
  select (at at time zone 'UTC')::date, asset_id, source, sum(amount), sum(usd), sum(fee), sum(fee_usd), count(*)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (day, asset_id, source) do update set amount = d.amount + excluded.amount, usd = d.usd + excluded.usd,
    fee = d.fee + excluded.fee, fee_usd = d.fee_usd + excluded.fee_usd, entries = d.entries + excluded.entries;
  return null;
end $$;
create trigger summed after insert on causeway.position_entry
  referencing new table as added for each statement execute function causeway.sum_positions();
revoke insert, update on causeway.exchange_position, causeway.exchange_day from causeway_worker;

-- Limits of the position, minor units; null: no limit, no hedging. The last row of an asset is in force, the others are its history.
create table causeway.exchange_limit (
  id uuid primary key,
  number bigint generated always as identity,
  asset_id text not null references causeway.asset (id),
  most_long numeric(78, 0) check (most_long >= 0),
  most_short numeric(78, 0) check (most_short >= 0),
  -- From this position on, long or short, it is hedged back to the other one.
  hedge_from numeric(78, 0) check (hedge_from > 0),
  hedge_to numeric(78, 0) check (hedge_to >= 0),
  reason text not null,
  set_at timestamptz not null default now(),
  set_by uuid not null references causeway.operator_account (id),
  -- Null where it only narrows: that takes one operator.
  proposal_id uuid unique references causeway.operator_proposal (id),
  check ((hedge_from is null) = (hedge_to is null) and (hedge_from is null or hedge_to < hedge_from))
);
create index exchange_limit_asset on causeway.exchange_limit (asset_id, number desc);
create trigger append_only before update or delete or truncate on causeway.exchange_limit
  for each statement execute function causeway.refuse_change();
grant select, insert (id, asset_id, most_long, most_short, hedge_from, hedge_to, reason, set_by, proposal_id) on causeway.exchange_limit to causeway_console;
grant select on causeway.exchange_limit to causeway_worker, causeway_operator;

-- A broken console process alone can only narrow: what widens was confirmed, for this asset and with these values. To begin hedging is to begin trading, and
-- widens.
create function causeway.keep_exchange_limit() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_old exchange_limit;
begin
  perform pg_advisory_xact_lock(hashtextextended('exchange limit ' || new.asset_id, 0));
  new.set_at := clock_timestamp();
  select * into v_old from exchange_limit where asset_id = new.asset_id order by number desc limit 1;
  if new.proposal_id is null then
    if coalesce(new.most_long > v_old.most_long, new.most_long is null and v_old.most_long is not null)
      or coalesce(new.most_short > v_old.most_short, new.most_short is null and v_old.most_short is not null)
      or not ((new.hedge_from, new.hedge_to) is not distinct from (v_old.hedge_from, v_old.hedge_to)
        or coalesce(new.hedge_from <= v_old.hedge_from and new.hedge_to <= v_old.hedge_to, false))
    then
      raise exception 'a limit is widened by a confirmed proposal' using errcode = 'CW001';
    end if;
  elsif not exists (
    select from operator_proposal p
    where p.id = new.proposal_id and p.state = 'confirmed' and p.kind = 'exchange.limit' and p.subject_id = new.asset_id
      and (p.input ->> 'mostLong')::numeric is not distinct from new.most_long
      and (p.input ->> 'mostShort')::numeric is not distinct from new.most_short
      and (p.input ->> 'hedgeFrom')::numeric is not distinct from new.hedge_from
      and (p.input ->> 'hedgeTo')::numeric is not distinct from new.hedge_to)
  then
    raise exception 'a limit is what a confirmed proposal says' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger kept before insert on causeway.exchange_limit for each row execute function causeway.keep_exchange_limit();

-- The position with what is executed and not booked yet.
create function causeway.exchange_exposure(p_asset text) returns numeric
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select coalesce((select minor from exchange_position where asset_id = p_asset), 0)
    + coalesce((select sum(sold) from exchange_due where sell_asset = p_asset), 0)
    - coalesce((select sum(bought) from exchange_due where buy_asset = p_asset), 0)
$$;
-- How much more of an asset the platform takes, and gives, in minor units; null: no limit. Migration 0306 has one that knows no limits.
drop function if exists causeway.exchange_room(text);
create function causeway.exchange_room(p_asset text) returns table (take numeric, give numeric)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select case when l.most_long is not null then greatest(floor(l.most_long - e.exposure), 0) end,
    case when l.most_short is not null then greatest(floor(l.most_short + e.exposure), 0) end
  from (select exchange_exposure(p_asset) as exposure) e
  left join lateral (select most_long, most_short from exchange_limit where asset_id = p_asset order by number desc limit 1) l on true
$$;
revoke execute on function causeway.exchange_exposure, causeway.exchange_room from public;
grant execute on function causeway.exchange_room to causeway_app, causeway_batch, causeway_worker, causeway_operator, causeway_console;
grant execute on function causeway.exchange_exposure to causeway_worker, causeway_operator, causeway_console;

-- Basis points on top of the assets' own spreads (operator_price): by pair (null: any asset), company (the nil company: every one) and size, from an instant
-- on, as prices are (docs/adr/0072-…). Null: none of its own from then on.
create table causeway.exchange_terms (
  id uuid primary key,
  company_id uuid not null,
  sell_asset text references causeway.asset (id),
  buy_asset text references causeway.asset (id),
  from_usd_cents numeric(78, 0) not null check (from_usd_cents >= 0),
  basis_points integer check (basis_points between 0 and 10000),
  valid_from timestamptz not null,
  valid_until timestamptz not null default 'infinity',
  proposal_id uuid not null unique references causeway.operator_proposal (id),
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_by uuid references causeway.operator_account (id),
  withdrawal_reason text,
  check (sell_asset is null or buy_asset is null or sell_asset <> buy_asset),
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
create unique index exchange_terms_instant on causeway.exchange_terms
  (company_id, coalesce(sell_asset, ''), coalesce(buy_asset, ''), from_usd_cents, valid_from) where withdrawn_at is null;
create index exchange_terms_force on causeway.exchange_terms (company_id, valid_until);
create index exchange_terms_time on causeway.exchange_terms (created_at desc, id desc);
call causeway.fence('causeway.exchange_terms');
create policy installation on causeway.exchange_terms for select to causeway_app, causeway_batch
  using (company_id = '00000000-0000-0000-0000-000000000000');
call causeway.admit_batches('causeway.exchange_terms', 'select');
create policy console_writes on causeway.exchange_terms for insert to causeway_console with check (proposal_id is not null);
create policy console_withdraws on causeway.exchange_terms for update to causeway_console using (true) with check (withdrawn_at is not null);
create policy worker_reads on causeway.exchange_terms for select to causeway_worker using (true);
create policy counter on causeway.exchange_terms to causeway_owner using (true) with check (true);
grant select on causeway.exchange_terms to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (id, company_id, sell_asset, buy_asset, from_usd_cents, basis_points, valid_from, proposal_id),
  update (withdrawn_at, withdrawn_by, withdrawal_reason) on causeway.exchange_terms to causeway_console;

-- Whether two rows of the terms are about the same.
create function causeway.same_terms(a causeway.exchange_terms, b causeway.exchange_terms) returns boolean language sql immutable as $$
  select a.company_id = b.company_id and a.sell_asset is not distinct from b.sell_asset and a.buy_asset is not distinct from b.buy_asset
    and a.from_usd_cents = b.from_usd_cents
$$;
create function causeway.keep_exchange_terms() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('exchange terms', 0));
  if new.valid_from < now() then
    raise exception 'terms do not hold in the past' using errcode = 'CW001';
  end if;
  if not exists (
    select from operator_proposal p
    where p.id = new.proposal_id and p.state = 'confirmed' and p.kind = 'exchange.terms'
      and p.input ->> 'companyId' is not distinct from nullif(new.company_id::text, '00000000-0000-0000-0000-000000000000')
      and p.input ->> 'sell' is not distinct from new.sell_asset and p.input ->> 'buy' is not distinct from new.buy_asset
      and (p.input ->> 'fromUsdCents')::numeric = new.from_usd_cents
      and (p.input ->> 'basisPoints')::integer is not distinct from new.basis_points
      and new.valid_from = greatest((p.input ->> 'validFrom')::timestamptz, now()))
  then
    raise exception 'terms are what a confirmed proposal says' using errcode = 'CW001';
  end if;
  select coalesce(
    (select o.valid_until from exchange_terms o
      where same_terms(o, new) and o.valid_from <= new.valid_from and o.valid_until > new.valid_from),
    (select min(o.valid_from) from exchange_terms o
      where same_terms(o, new) and o.valid_from > new.valid_from and o.withdrawn_at is null),
    'infinity') into new.valid_until;
  update exchange_terms o set valid_until = new.valid_from
  where same_terms(o, new) and o.valid_from < new.valid_from and o.valid_until > new.valid_from;
  return new;
end $$;
create trigger kept before insert on causeway.exchange_terms for each row execute function causeway.keep_exchange_terms();

create function causeway.withdraw_exchange_terms() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if old.withdrawn_at is not null or old.valid_from <= now() then
    raise exception 'terms that hold are not withdrawn' using errcode = 'CW001';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exchange terms', 0));
  new.withdrawn_at := now();
  new.valid_until := old.valid_from;
  -- What held before holds on.
  update exchange_terms o set valid_until = old.valid_until
  where same_terms(o, old) and o.valid_until = old.valid_from and o.valid_from < old.valid_from;
  return new;
end $$;
create trigger withdrawn before update of withdrawn_at, withdrawn_by, withdrawal_reason on causeway.exchange_terms
  for each row execute function causeway.withdraw_exchange_terms();

drop function if exists causeway.exchange_spread(uuid, text, text, numeric);
-- The basis points on top for an exchange of this size now; 0 where nothing is set. A company's own terms beat those for every company, a pair beats one
-- named side (the sold one first), which beats any pair; then the largest size that is reached.
create function causeway.exchange_spread(p_company uuid, p_sell text, p_buy text, p_usd_cents numeric) returns integer
  language sql stable as $$
  select coalesce((
    select t.basis_points from causeway.exchange_terms t
    where t.company_id in (p_company, '00000000-0000-0000-0000-000000000000')
      and coalesce(t.sell_asset, p_sell) = p_sell and coalesce(t.buy_asset, p_buy) = p_buy
      and t.from_usd_cents <= p_usd_cents and t.basis_points is not null
      and t.valid_from <= now() and t.valid_until > now()
    order by t.company_id = p_company desc, (t.sell_asset is not null)::integer + (t.buy_asset is not null)::integer desc,
      t.sell_asset is not null desc, t.from_usd_cents desc
    limit 1), 0)
$$;
