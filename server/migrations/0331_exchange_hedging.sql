-- Hedges of the platform's position at venues (docs/adr/0083-…). An order is stored before it is sent, sent once, and asked about until what became of it
-- is known. Outside tenancy. Quantities and prices in whole units, as the venue counts them.

-- How each venue was last found, and the counter that its signed requests carry.
create table causeway.exchange_venue (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{0,31}$'),
  kind text not null check (kind in ('kraken', 'airwallex')),
  -- What it hedges, and against what, as the worker's configuration says; empty: it is no longer configured.
  pairs jsonb not null default '[]',
  -- Whole units by asset, below which the operator is notified.
  low_balances jsonb not null default '{}',
  nonce numeric(20, 0) not null default 0,
  answered_at timestamptz,
  failing_since timestamptz,
  problem text check (length(problem) <= 500),
  -- Whole units by asset, and when the venue said so.
  balances jsonb not null default '{}',
  balances_at timestamptz,
  updated_at timestamptz not null default now()
);
grant select, insert, update on causeway.exchange_venue to causeway_worker;
grant select on causeway.exchange_venue to causeway_operator, causeway_console;

-- A nonce is never given twice, by whatever worker and after whatever restart; the clock puts it beyond those that a restored database has forgotten.
create function causeway.next_venue_nonce(p_venue text) returns numeric language sql as $$
  update causeway.exchange_venue
  set nonce = greatest(nonce + 1, floor(extract(epoch from clock_timestamp()) * 1000000))
  where id = p_venue returning nonce
$$;

create table causeway.hedge_order (
  -- Under this id it is known at the venue too.
  id uuid primary key,
  venue_id text not null references causeway.exchange_venue (id),
  asset_id text not null references causeway.asset (id),
  counter_id text not null references causeway.asset (id),
  pair text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  -- The worst price: counter-asset for one of the asset.
  limit_price numeric not null check (limit_price > 0),
  -- When it was decided: the middle prices in US dollars, and the position in minor units.
  asset_usd numeric not null check (asset_usd > 0),
  counter_usd numeric not null check (counter_usd > 0),
  position numeric not null,
  -- stored: never sent. sending: it may have been. unknown: sent, and the venue has not said what became of it. open: at the venue. done: it ended there.
  -- refused: the venue did not take it. notPlaced: it never arrived, or was never sent.
  state text not null default 'stored' check (state in ('stored', 'sending', 'unknown', 'open', 'done', 'refused', 'notPlaced')),
  venue_order_id text check (length(venue_order_id) <= 100),
  filled numeric not null default 0 check (filled >= 0),
  -- The venue's own words.
  reason text check (length(reason) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  -- The venue does not place it after this instant.
  deadline_at timestamptz,
  opened_at timestamptz,
  asked_at timestamptz,
  -- Since when the rest is being cancelled.
  cancelled_at timestamptz,
  ended_at timestamptz,
  check (asset_id <> counter_id),
  check ((state in ('done', 'refused', 'notPlaced')) = (ended_at is not null)),
  check (sent_at is not null or state in ('stored', 'notPlaced'))
);
-- One at a time for each asset: a second one would be decided without the first one's fills.
create unique index hedge_order_live on causeway.hedge_order (asset_id) where ended_at is null;
create index hedge_order_time on causeway.hedge_order (created_at desc, id desc);
create index hedge_order_asset on causeway.hedge_order (asset_id, created_at desc);
grant select on causeway.hedge_order to causeway_worker, causeway_operator, causeway_console;
grant insert (id, venue_id, asset_id, counter_id, pair, side, quantity, limit_price, asset_usd, counter_usd, position),
  update (state, venue_order_id, filled, reason, sent_at, deadline_at, opened_at, asked_at, cancelled_at, ended_at)
  on causeway.hedge_order to causeway_worker;

-- The way of an order. Above all: what may have been sent is never stored again, so that nothing is sent twice.
create function causeway.keep_hedge_order() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null then
    raise exception 'an order that has ended does not change' using errcode = 'CW001';
  end if;
  if new.state <> old.state and not (
    (old.state = 'stored' and new.state in ('sending', 'notPlaced'))
    or (old.state = 'sending' and new.state in ('unknown', 'open', 'refused', 'notPlaced'))
    or (old.state = 'unknown' and new.state in ('open', 'refused', 'notPlaced'))
    or (old.state = 'open' and new.state = 'done'))
  then
    raise exception 'an order does not become % from %', new.state, old.state using errcode = 'CW001';
  end if;
  if new.filled < old.filled or (old.sent_at is not null and new.sent_at is distinct from old.sent_at) then
    raise exception 'an order is sent once, and its fills stay' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger kept before update on causeway.hedge_order for each row execute function causeway.keep_hedge_order();

create table causeway.hedge_fill (
  id uuid primary key,
  order_id uuid not null references causeway.hedge_order (id),
  venue_id text not null,
  -- The venue's own: a fill is recorded once, however often it is reported.
  trade_id text not null check (length(trade_id) between 1 and 100),
  quantity numeric not null check (quantity > 0),
  price numeric not null check (price > 0),
  -- Of the counter-asset.
  cost numeric not null check (cost > 0),
  fee numeric not null check (fee >= 0),
  fee_asset text not null references causeway.asset (id),
  at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (venue_id, trade_id)
);
create index hedge_fill_order on causeway.hedge_fill (order_id, at);
create trigger append_only before update or delete or truncate on causeway.hedge_fill
  for each statement execute function causeway.refuse_change();
grant select, insert (id, order_id, venue_id, trade_id, quantity, price, cost, fee, fee_asset, at) on causeway.hedge_fill to causeway_worker;
grant select on causeway.hedge_fill to causeway_operator, causeway_console;

-- A fill is in the position in the moment in which it is recorded.
create function causeway.enter_fill() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into position_entry (source, source_id, side, asset_id, amount, usd, fee, fee_usd, at)
  select 'hedge', new.id, l.side, l.asset_id, l.sign * l.units * power(10::numeric, a.decimals), l.sign * l.units * l.usd,
    case when new.fee_asset = l.asset_id then -new.fee * power(10::numeric, a.decimals) else 0 end,
    case when new.fee_asset = l.asset_id then -new.fee * l.usd else 0 end, new.at
  from hedge_order o
  cross join lateral (values
    (case o.side when 'buy' then 'taken' else 'given' end, o.asset_id, case o.side when 'buy' then 1 else -1 end, new.quantity, o.asset_usd),
    (case o.side when 'buy' then 'given' else 'taken' end, o.counter_id, case o.side when 'buy' then -1 else 1 end, new.cost, o.counter_usd)
  ) l (side, asset_id, sign, units, usd)
  join asset a on a.id = l.asset_id
  where o.id = new.order_id and o.venue_id = new.venue_id and new.fee_asset in (o.asset_id, o.counter_id);
  if not found then
    raise exception 'a fill is of an order at its venue, with a fee in one of its assets' using errcode = 'CW001';
  end if;
  return null;
end $$;
create trigger entered after insert on causeway.hedge_fill for each row execute function causeway.enter_fill();
