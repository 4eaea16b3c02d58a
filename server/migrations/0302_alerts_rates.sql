-- A member's alert of a rate that passes a value: given once, then done.
create table causeway.rate_alert (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  sell_asset text not null references causeway.asset (id),
  buy_asset text not null references causeway.asset (id),
  direction text not null check (direction in ('above', 'below')),
  -- Units of the bought asset for one of the sold.
  value numeric not null check (value > 0),
  created_at timestamptz not null,
  fired_at timestamptz,
  -- The rate that passed it.
  fired_rate numeric,
  primary key (company_id, id),
  foreign key (company_id, user_id) references causeway.member (company_id, id),
  check (sell_asset <> buy_asset),
  check ((fired_at is null) = (fired_rate is null))
);
call causeway.fence('causeway.rate_alert');
create index rate_alert_own on causeway.rate_alert (company_id, user_id);
create index rate_alert_open on causeway.rate_alert (company_id) where fired_at is null;
-- The worker's round begins by asking which companies have any.
create policy worker_reads on causeway.rate_alert for select to causeway_worker using (true);
grant select, insert, delete on causeway.rate_alert to causeway_app;
grant select, update (fired_at, fired_rate) on causeway.rate_alert to causeway_worker;
grant select on causeway.rate_alert to causeway_operator, causeway_console;
