-- By which prices a transaction was valued: US dollars for one whole unit of its asset, and for one unit of the base currency, each
-- with source and time. Null where no price was known, or where the value was given without one.
alter table causeway.transaction
  add column price_usd numeric,
  add column price_source text,
  add column price_at timestamptz,
  add column base_rate numeric,
  add column base_rate_source text,
  add column base_rate_at timestamptz,
  -- The one statement that writes them takes the three of each from one row.
  add constraint transaction_price check (num_nulls(price_usd, price_source, price_at) in (0, 3)) not enforced,
  add constraint transaction_base_rate check (num_nulls(base_rate, base_rate_source, base_rate_at) in (0, 3)) not enforced;

-- A day's price says where it comes from and when it was true, so that a value computed from it can say so too. There was one source
-- until now; the time within an earlier day is not known.
alter table causeway.rate_daily add column source text, add column updated_at timestamptz;
update causeway.rate_daily set source = 'coingecko';
alter table causeway.rate_daily alter column source set not null;

-- Transactions that were written while no price was known; a row goes when the value has been filled in.
create table causeway.transaction_unvalued (
  company_id uuid not null,
  transaction_id uuid not null,
  primary key (company_id, transaction_id)
);
call causeway.fence('causeway.transaction_unvalued');
call causeway.admit_batches('causeway.transaction_unvalued', 'insert');
-- The worker's round begins by asking which companies have any.
create policy worker_reads on causeway.transaction_unvalued for select to causeway_worker using (true);
grant select on causeway.transaction_unvalued to causeway_worker, causeway_operator;
grant insert on causeway.transaction_unvalued to causeway_app, causeway_worker;

alter table causeway.transaction no force row level security;
alter table causeway.transaction_unvalued no force row level security;
insert into causeway.transaction_unvalued (company_id, transaction_id)
  select company_id, id from causeway.transaction where value_usd_cents is null;
alter table causeway.transaction force row level security;
alter table causeway.transaction_unvalued force row level security;

-- Fills in, for the company of the running transaction, what was written without a value on days (UTC) that are over: by the last
-- price of the day on which it was written, and nothing where that day has none. A value that is there is never changed, so no role
-- needs the right to change one. Returns how many were filled.
create function causeway.value_transactions(p_most integer) returns integer language plpgsql
  security definer set search_path = causeway, pg_temp as $$
declare
  v_filled integer;
begin
  with due as (
    select t.company_id, t.id, t.amount_whole * p.usd as worth, p.usd, p.source, p.updated_at,
      base.id as base_id, base.decimals, b.usd as base_usd, b.source as base_source, b.updated_at as base_at
    from transaction_unvalued u
    join transaction t on t.company_id = u.company_id and t.id = u.transaction_id
    cross join lateral (select (t.created_at at time zone 'UTC')::date as date) d
    join lateral (
      select usd, source, coalesce(updated_at, d.date::timestamp at time zone 'UTC') as updated_at from rate_daily r
      where r.asset_id = t.coin and r.day = d.date
      union all select 1, 'definition', t.created_at where t.coin = 'USD'
    ) p on true
    left join company_setting s on s.company_id = t.company_id
    join asset base on base.id = coalesce(s.base_currency, 'USD')
    left join lateral (
      select usd, source, coalesce(updated_at, d.date::timestamp at time zone 'UTC') as updated_at from rate_daily r
      where r.asset_id = base.id and r.day = d.date
      union all select 1, 'definition', t.created_at where base.id = 'USD'
    ) b on true
    where u.company_id = company_id() and d.date < (now() at time zone 'UTC')::date
    order by u.transaction_id limit p_most
  ), filled as (
    update transaction t set value_usd_cents = round(due.worth * 100), price_usd = due.usd, price_source = due.source,
      price_at = due.updated_at, base_currency = case when due.base_usd is not null then due.base_id end,
      base_value = round(due.worth / due.base_usd * ('1e' || due.decimals)::numeric), base_rate = due.base_usd,
      base_rate_source = due.base_source, base_rate_at = due.base_at
    from due where t.company_id = due.company_id and t.id = due.id and t.value_usd_cents is null
  ), gone as (
    delete from transaction_unvalued u using due where u.company_id = due.company_id and u.transaction_id = due.id
  )
  select count(*) into v_filled from due;
  return v_filled;
end $$;
revoke execute on function causeway.value_transactions from public;
grant execute on function causeway.value_transactions to causeway_worker;
