-- Prices of the operator (docs/adr/0072-…): withdrawal fees, minimums, spreads and limits, for every company (the nil company) or for one, each from an
-- instant on. A row holds over [valid_from, valid_until); of one key no two rows hold at the same time. Where no row holds, the fee and the minimum are
-- those with which the coin was registered (chain_asset.withdraw_fee, asset.minimum), and there is no limit.
create table causeway.operator_price (
  id uuid primary key,
  company_id uuid not null,
  kind text not null check (
    kind in ('withdrawal_fee', 'withdrawal_minimum', 'recharge_minimum', 'transfer_limit', 'daily_limit', 'spread')),
  asset_id text not null references causeway.asset (id),
  -- Of a withdrawal fee; everything else is the asset's.
  chain_id text references causeway.chain (id),
  -- Minor units of the asset, basis points of a spread; null: from then on none of its own.
  value numeric(78, 0) check (value >= 0),
  valid_from timestamptz not null,
  valid_until timestamptz not null default 'infinity',
  -- The proposal that two operators agreed on, or who wrote it on the command line.
  proposal_id uuid unique references causeway.operator_proposal (id),
  set_by text,
  created_at timestamptz not null default now(),
  -- A planned row that was taken back before it held.
  withdrawn_at timestamptz,
  withdrawn_by uuid references causeway.operator_account (id),
  withdrawal_reason text,
  -- When companies were notified of a fee that rises, and of one that will not after all; by the worker.
  announced_at timestamptz,
  retracted_at timestamptz,
  check ((kind = 'withdrawal_fee') = (chain_id is not null)),
  check (kind <> 'spread' or value <= 10000),
  check ((proposal_id is null) <> (set_by is null)),
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
create unique index operator_price_instant on causeway.operator_price (asset_id, company_id, kind, coalesce(chain_id, ''), valid_from)
  where withdrawn_at is null;
create index operator_price_force on causeway.operator_price (asset_id, company_id, valid_until);
create index operator_price_time on causeway.operator_price (created_at desc, id desc);

call causeway.fence('causeway.operator_price');
create policy installation on causeway.operator_price for select to causeway_app, causeway_batch
  using (company_id = '00000000-0000-0000-0000-000000000000');
call causeway.admit_batches('causeway.operator_price', 'select');
create policy console_writes on causeway.operator_price for insert to causeway_console with check (proposal_id is not null);
create policy console_withdraws on causeway.operator_price for update to causeway_console using (true) with check (withdrawn_at is not null);
create policy worker on causeway.operator_price to causeway_worker using (true) with check (true);
create policy counter on causeway.operator_price to causeway_owner using (true) with check (true);
grant select on causeway.operator_price to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (id, company_id, kind, asset_id, chain_id, value, valid_from, proposal_id),
  update (withdrawn_at, withdrawn_by, withdrawal_reason) on causeway.operator_price to causeway_console;
grant insert (id, company_id, kind, asset_id, chain_id, value, valid_from, set_by) on causeway.operator_price to causeway_operator;
grant update (announced_at, retracted_at) on causeway.operator_price to causeway_worker;

-- With its owner's rights: the roles that add a price cannot change when another one ends. A price is neither set for the past nor without the
-- proposal that was confirmed for it.
create function causeway.keep_prices() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('price ' || new.asset_id, 0));
  if new.valid_from < now() then
    raise exception 'a price does not hold in the past' using errcode = 'CW001';
  end if;
  if new.proposal_id is not null and not exists (
    select from operator_proposal p
    where p.id = new.proposal_id and p.state = 'confirmed' and p.kind = 'price.change'
      and p.input ->> 'companyId' is not distinct from nullif(new.company_id::text, '00000000-0000-0000-0000-000000000000')
      and p.input ->> 'kind' = new.kind and p.input ->> 'asset' = new.asset_id
      and p.input ->> 'chain' is not distinct from new.chain_id
      and (p.input ->> 'value')::numeric is not distinct from new.value
      and new.valid_from = greatest((p.input ->> 'validFrom')::timestamptz, now()))
  then
    raise exception 'a price is what a confirmed proposal says' using errcode = 'CW001';
  end if;
  select coalesce(
    (select o.valid_until from operator_price o
      where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
        and o.valid_from <= new.valid_from and o.valid_until > new.valid_from),
    (select min(o.valid_from) from operator_price o
      where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
        and o.valid_from > new.valid_from and o.withdrawn_at is null),
    'infinity') into new.valid_until;
  update operator_price o set valid_until = new.valid_from
  where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
    and o.valid_from < new.valid_from and o.valid_until > new.valid_from;
  return new;
end $$;
create trigger kept before insert on causeway.operator_price for each row execute function causeway.keep_prices();

create function causeway.withdraw_price() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if old.withdrawn_at is not null or old.valid_from <= now() then
    raise exception 'a price that holds is not withdrawn' using errcode = 'CW001';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('price ' || old.asset_id, 0));
  new.withdrawn_at := now();
  new.valid_until := old.valid_from;
  -- What held before holds on.
  update operator_price o set valid_until = old.valid_until
  where (o.asset_id, o.company_id, o.kind) = (old.asset_id, old.company_id, old.kind) and o.chain_id is not distinct from old.chain_id
    and o.valid_until = old.valid_from and o.valid_from < old.valid_from;
  return new;
end $$;
create trigger withdrawn before update of withdrawn_at, withdrawn_by, withdrawal_reason on causeway.operator_price
  for each row execute function causeway.withdraw_price();

-- The prices in force for a company at an instant: its own beat those for every company. One row, in which what has no price is null. In line with the
-- statement that calls it, and under the caller's row-level security.
create function causeway.prices_at(p_company uuid, p_asset text, p_chain text, p_at timestamptz) returns table (
  withdrawal_fee numeric, withdrawal_minimum numeric, recharge_minimum numeric, transfer_limit numeric, daily_limit numeric, spread numeric
) language sql stable as $$
  select
    coalesce(max(o.value) filter (where o.kind = 'withdrawal_fee' and o.company_id = p_company), max(o.value) filter (where o.kind = 'withdrawal_fee')),
    coalesce(max(o.value) filter (where o.kind = 'withdrawal_minimum' and o.company_id = p_company), max(o.value) filter (where o.kind = 'withdrawal_minimum')),
    coalesce(max(o.value) filter (where o.kind = 'recharge_minimum' and o.company_id = p_company), max(o.value) filter (where o.kind = 'recharge_minimum')),
    coalesce(max(o.value) filter (where o.kind = 'transfer_limit' and o.company_id = p_company), max(o.value) filter (where o.kind = 'transfer_limit')),
    coalesce(max(o.value) filter (where o.kind = 'daily_limit' and o.company_id = p_company), max(o.value) filter (where o.kind = 'daily_limit')),
    coalesce(max(o.value) filter (where o.kind = 'spread' and o.company_id = p_company), max(o.value) filter (where o.kind = 'spread'))
  from causeway.operator_price o
  where o.asset_id = p_asset and o.company_id in (p_company, '00000000-0000-0000-0000-000000000000')
    and o.valid_until > p_at and o.valid_from <= p_at and (o.chain_id is null or o.chain_id = p_chain)
$$;

-- What a new price would have earned over past withdrawals is summed from this index alone, across companies.
create index transaction_withdrawn on causeway.transaction (coin, chain_id, created_at) include (company_id, quantity, fee)
  where type = 'chain_withdraw' and status = 'completed';
