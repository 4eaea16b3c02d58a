-- Prices in US dollars per whole coin: the last one known, and each day's last one (UTC) for the history. Outside
-- tenancy, written by the worker alone.

create table causeway.rate (
  coin text primary key,
  usd numeric not null check (usd > 0),
  -- When the source says it was true.
  updated_at timestamptz not null
);
create table causeway.rate_daily (
  coin text not null,
  day date not null,
  usd numeric not null check (usd > 0),
  primary key (coin, day)
);
grant select on causeway.rate, causeway.rate_daily to causeway_app, causeway_worker, causeway_operator;
grant insert, update on causeway.rate, causeway.rate_daily to causeway_worker;
