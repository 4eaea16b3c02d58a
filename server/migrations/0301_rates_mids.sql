-- Middle prices for exchange (docs/DECISIONS.md, "Rates"): what each source says, the mid that follows from it, and mids over time.
-- Outside tenancy, written by the worker alone. US dollars per whole unit; the dollar itself has no rows: it is 1 by definition.

-- How each configured source does. `band` gives no price: others are held against it.
create table causeway.rate_source (
  source text primary key check (source ~ '^[a-z]{2,20}$'),
  role text not null check (role in ('price', 'band')),
  -- When it was last asked with success, and without; why, in a word.
  succeeded_at timestamptz,
  failed_at timestamptz,
  problem text,
  -- Later than this without a success it is silent: three turns.
  due_at timestamptz not null
);

-- The last prices of each source as it said them, whether or not they can be used.
create table causeway.rate_source_price (
  source text not null references causeway.rate_source (source) on delete cascade,
  asset_id text not null check (asset_id <> 'USD'),
  bid numeric not null,
  ask numeric not null,
  -- By the source's own clock where it has one, and until when it is young enough.
  at timestamptz not null,
  expires_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  -- What is wrong with it by itself (crossed, not positive), and why the last mid was made without it; null: nothing, it was used.
  fault text,
  left_out text,
  primary key (source, asset_id)
);

-- The last mid that enough sources agreed on, and what is wrong now; null: nothing.
create table causeway.rate_mid (
  asset_id text primary key check (asset_id <> 'USD'),
  usd numeric check (usd > 0),
  -- Since when the oldest of its prices holds, and until when it may be quoted without another look at the sources.
  at timestamptz,
  holds_until timestamptz,
  sources text[] not null default '{}',
  needed integer not null check (needed > 0),
  problem text check (problem in ('none', 'stale', 'disagreeing', 'single')),
  -- Since when, for people.
  problem_since timestamptz,
  checked_at timestamptz not null,
  check (num_nulls(usd, at, holds_until) in (0, 3)),
  check (usd is not null or problem is not null),
  check ((problem is null) = (problem_since is null))
);

-- Mids over time, the last of each minute, hour and day (UTC): for two days, forty days, and for ever.
create table causeway.rate_mid_point (
  asset_id text not null check (asset_id <> 'USD'),
  grain text not null check (grain in ('minute', 'hour', 'day')),
  at timestamptz not null,
  usd numeric not null check (usd > 0),
  primary key (asset_id, grain, at)
);
create index rate_mid_point_age on causeway.rate_mid_point (grain, at);

grant select on causeway.rate_source, causeway.rate_source_price, causeway.rate_mid, causeway.rate_mid_point
  to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant select on causeway.rate_mid to causeway_batch;
grant insert, update, delete on causeway.rate_source, causeway.rate_source_price, causeway.rate_mid, causeway.rate_mid_point
  to causeway_worker;
