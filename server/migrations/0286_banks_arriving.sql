-- Deposits on their way one by one, as their companies see them: who pays, with which words, and since when they are what they are.
alter table causeway.bank_deposit
  add column payer_name text check (length(payer_name) <= 500),
  add column reference text check (length(reference) <= 1000),
  -- When the bank was first found to say what `status` says.
  add column status_at timestamptz not null default now();
grant update (payer_name, reference, status_at) on causeway.bank_deposit to causeway_worker;
create index bank_deposit_account on causeway.bank_deposit (account_number, bank_id, asset_id, status_at);

-- Of the current company's account in a currency at a bank: those on their way, and those that have changed since a moment. One: of this id, whatever its state.
grant create on schema causeway to causeway_lookup;
grant select (id, begun_at, payer_name, reference, status_at) on causeway.bank_deposit to causeway_lookup;
create function causeway.bank_deposits(p_bank text, p_asset text, p_since timestamptz, p_id text, p_most integer)
  returns table (id text, status text, begun_at timestamptz, status_at timestamptz, amount numeric, payer_name text, reference text)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select d.id, d.status, d.begun_at, d.status_at, d.amount, d.payer_name, d.reference from bank_account a
  join bank_deposit d on d.account_number = a.account_number and d.bank_id = a.bank_id and d.asset_id = a.asset_id
  where a.company_id = company_id() and a.bank_id = p_bank and a.asset_id = p_asset and d.amount is not null
    and case when p_id is null then d.status = 'PENDING' or d.status_at >= p_since else d.id = p_id end
  order by d.begun_at desc, d.id desc limit p_most
$$;
alter function causeway.bank_deposits owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.bank_deposits from public;
grant execute on function causeway.bank_deposits to causeway_app, causeway_look;
