-- Fees that the operator collects. They lie at the companies' addresses (account `fee`), so that a collection is a payment of each such
-- address, made like every other: signed under a seal, that of the operator's process, followed to its depth, booked from `fee`.

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_deposit', 'fiat_payout', 'fee_withdraw'));

-- None of the company's money: its process, and the search that works for it, see no such row.
create policy operators_own on causeway.transaction as restrictive to causeway_app, causeway_search, causeway_batch
  using (type <> 'fee_withdraw') with check (type <> 'fee_withdraw');
create or replace function causeway.count_transactions() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  insert into transaction_count as c (company_id, slot, rows)
  select company_id, pg_backend_pid() % 1024, count(*) from added where type <> 'fee_withdraw' group by company_id
  on conflict (company_id, slot) do update set rows = c.rows + excluded.rows where c.rows <= 10000;
  return null;
end $$;
create index transaction_fee_withdraw on causeway.transaction (company_id, wallet_id) where type = 'fee_withdraw';

-- Where fees may be sent: added by two operators, removed by one, for good.
create table causeway.operator_treasury_address (
  id uuid primary key,
  chain_id text not null references causeway.chain (id),
  -- As its chain writes it, and the same for all its spellings.
  address text not null,
  address_key text not null,
  label text not null,
  added_at timestamptz not null default now(),
  added_by uuid not null references causeway.operator_account (id),
  removed_at timestamptz,
  removed_by uuid references causeway.operator_account (id),
  check ((removed_at is null) = (removed_by is null))
);
create unique index operator_treasury_address_key on causeway.operator_treasury_address (chain_id, address_key) where removed_at is null;
grant select, insert (id, chain_id, address, address_key, label, added_by), update (removed_at, removed_by)
  on causeway.operator_treasury_address to causeway_console;

-- A payment of a collection, one for each wallet; its id is that of the transaction that the worker makes of it. The seal is what the signer
-- believes.
create table causeway.operator_fee_payment (
  id uuid primary key,
  proposal_id uuid not null references causeway.operator_proposal (id),
  company_id uuid not null,
  wallet_id uuid not null,
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  amount numeric(78, 0) not null check (amount > 0),
  address_id uuid not null references causeway.operator_treasury_address (id),
  address text not null,
  jws text not null,
  created_at timestamptz not null default now(),
  -- By the worker, where it made no transaction of it: the error's key.
  refusal text,
  unique (proposal_id, wallet_id)
);
create index operator_fee_payment_time on causeway.operator_fee_payment (created_at desc, id desc);
create index operator_fee_payment_company on causeway.operator_fee_payment (company_id, id);
grant select, insert (id, proposal_id, company_id, wallet_id, chain_id, coin, amount, address_id, address, jws)
  on causeway.operator_fee_payment to causeway_console;
grant select, update (refusal) on causeway.operator_fee_payment to causeway_worker;
grant select on causeway.operator_fee_payment to causeway_signer;
