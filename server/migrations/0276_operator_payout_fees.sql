-- The fee of a payment out of a bank is a price of the operator: of a currency at a bank, by the country's own clearing or by SWIFT. Without one, the
-- fee is that of the file of banks.
alter table causeway.operator_price add column bank_id text references causeway.bank (id),
  drop constraint operator_price_kind_check,
  add constraint operator_price_kind_check check (kind in ('withdrawal_fee', 'withdrawal_minimum', 'recharge_minimum', 'transfer_limit',
    'daily_limit', 'spread', 'payout_fee_local', 'payout_fee_swift')),
  add check ((kind in ('payout_fee_local', 'payout_fee_swift')) = (bank_id is not null)),
  add foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id);
drop index causeway.operator_price_instant;
create unique index operator_price_instant on causeway.operator_price
  (asset_id, company_id, kind, coalesce(chain_id, ''), coalesce(bank_id, ''), valid_from) where withdrawn_at is null;
grant insert (bank_id) on causeway.operator_price to causeway_console, causeway_operator;

create or replace function causeway.keep_prices() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
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
      and p.input ->> 'bank' is not distinct from new.bank_id
      and (p.input ->> 'value')::numeric is not distinct from new.value
      and new.valid_from = greatest((p.input ->> 'validFrom')::timestamptz, now()))
  then
    raise exception 'a price is what a confirmed proposal says' using errcode = 'CW001';
  end if;
  select coalesce(
    (select o.valid_until from operator_price o
      where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
        and o.bank_id is not distinct from new.bank_id and o.valid_from <= new.valid_from and o.valid_until > new.valid_from),
    (select min(o.valid_from) from operator_price o
      where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
        and o.bank_id is not distinct from new.bank_id and o.valid_from > new.valid_from and o.withdrawn_at is null),
    'infinity') into new.valid_until;
  update operator_price o set valid_until = new.valid_from
  where (o.asset_id, o.company_id, o.kind) = (new.asset_id, new.company_id, new.kind) and o.chain_id is not distinct from new.chain_id
    and o.bank_id is not distinct from new.bank_id and o.valid_from < new.valid_from and o.valid_until > new.valid_from;
  return new;
end $$;

create or replace function causeway.withdraw_price() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
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
    and o.bank_id is not distinct from old.bank_id and o.valid_until = old.valid_from and o.valid_from < old.valid_from;
  return new;
end $$;

-- The fees in force for a company's payments out of a bank at an instant, as `prices_at` says the others; null where no price is set.
create function causeway.payout_fees_at(p_company uuid, p_asset text, p_bank text, p_at timestamptz) returns table (local numeric, swift numeric)
language sql stable as $$
  select
    coalesce(max(o.value) filter (where o.kind = 'payout_fee_local' and o.company_id = p_company), max(o.value) filter (where o.kind = 'payout_fee_local')),
    coalesce(max(o.value) filter (where o.kind = 'payout_fee_swift' and o.company_id = p_company), max(o.value) filter (where o.kind = 'payout_fee_swift'))
  from causeway.operator_price o
  where o.asset_id = p_asset and o.bank_id = p_bank and o.company_id in (p_company, '00000000-0000-0000-0000-000000000000')
    and o.valid_until > p_at and o.valid_from <= p_at
$$;

-- What a new fee would have earned over past payments is summed from this index.
create index transaction_paid_out on causeway.transaction (coin, created_at) include (company_id, id, quantity, fee)
  where type = 'fiat_payout' and status = 'completed';

-- Companies with an account in a currency at a bank: whom the worker notifies of a fee that rises. Ids alone.
grant create on schema causeway to causeway_lookup;
create function causeway.companies_at_bank(p_bank text, p_asset text) returns setof uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select company_id from bank_account where bank_id = p_bank and asset_id = p_asset order by 1
$$;
alter function causeway.companies_at_bank owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.companies_at_bank from public;
grant execute on function causeway.companies_at_bank to causeway_worker;
