-- A deposit that waits for a block is accelerated: a transaction of the company's spends its output and pays the miner for both (docs/adr/0091).

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'chain_accelerate', 'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out', 'fiat_exchange_in',
  'fiat_deposit', 'fiat_payout', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));

-- It pays no one: its fee is all that leaves.
alter domain causeway.positive_amount drop constraint positive_amount_check;
alter domain causeway.positive_amount add constraint positive_amount_check check (value >= 0);
alter table causeway.transaction
  add constraint transaction_quantity check (quantity > 0 or type = 'chain_accelerate'),
  add constraint transaction_counter_quantity check (counter_quantity > 0);
alter table causeway.transfer_test add constraint transfer_test_total check (total > 0);
alter table causeway.ledger_account add constraint ledger_account_watch_below check (watch_below > 0);
alter table causeway.chain_send
  drop constraint chain_send_amount_check,
  add constraint chain_send_amount_check check (amount >= 0 and case when is_empty then amount = 0 else amount > 0 or plan ? 'parent' end);

-- What the miner gets for a deposit that waits, with all that it needs before, and for how many virtual bytes.
alter table causeway.deposit
  add column ancestor_fee bigint check (ancestor_fee >= 0),
  add column ancestor_vsize integer check (ancestor_vsize > 0),
  add constraint deposit_ancestors check ((ancestor_fee is null) = (ancestor_vsize is null));

create table causeway.bitcoin_acceleration (
  company_id uuid not null,
  transaction_id uuid not null,
  -- The transaction of the deposit, and the output that it is.
  deposit_id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  index integer not null check (index >= 0),
  -- Of the deposit with what it needs before, when it was accelerated: satoshis, virtual bytes.
  parent_fee bigint not null check (parent_fee >= 0),
  parent_vsize integer not null check (parent_vsize > 0),
  created_at timestamptz not null default now(),
  primary key (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id),
  foreign key (company_id, deposit_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.bitcoin_acceleration');
create index bitcoin_acceleration_output on causeway.bitcoin_acceleration (company_id, chain_id, hash, index);
create trigger append_only before update or delete or truncate on causeway.bitcoin_acceleration
  for each statement execute function causeway.refuse_change();
create policy watcher on causeway.bitcoin_acceleration for select to causeway_worker using (true);
grant select, insert on causeway.bitcoin_acceleration to causeway_app;
grant select on causeway.bitcoin_acceleration to causeway_worker, causeway_operator, causeway_console;
-- Submissions that travel together ask which change may be spent.
call causeway.admit_batches('causeway.bitcoin_acceleration', 'select');

-- The most that its miner may get, sealed by the company's process: what the signer believes. Raising the fee adds one.
create table causeway.bitcoin_acceleration_seal (
  company_id uuid not null,
  transaction_id uuid not null,
  fee bigint not null check (fee > 0),
  jws text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, transaction_id, fee),
  foreign key (company_id, transaction_id) references causeway.bitcoin_acceleration (company_id, transaction_id)
);
call causeway.fence('causeway.bitcoin_acceleration_seal');
create trigger append_only before update or delete or truncate on causeway.bitcoin_acceleration_seal
  for each statement execute function causeway.refuse_change();
create policy signer_reads on causeway.bitcoin_acceleration_seal for select to causeway_signer using (true);
grant select, insert on causeway.bitcoin_acceleration_seal to causeway_app;
grant select on causeway.bitcoin_acceleration_seal to causeway_signer, causeway_operator;

create or replace function causeway.keep_amounts() returns trigger language plpgsql as $$
declare
  is_raised constant boolean := old.type in ('chain_withdraw', 'chain_accelerate') and old.stage = 'broadcast' and new.fee > old.fee
    and (new.quantity, new.amount_whole, new.counter_quantity, new.rate, new.rate_source, new.rate_at, new.quote_id)
      is not distinct from (old.quantity, old.amount_whole, old.counter_quantity, old.rate, old.rate_source, old.rate_at, old.quote_id);
begin
  if (old.type not in ('crypto_exchange_out', 'fiat_exchange_out', 'crypto_payout') or old.stage not in ('waiting_approval', 'waiting_rate'))
    and not is_raised then
    raise exception 'the amounts of a transaction do not change' using errcode = 'CW001';
  end if;
  return new;
end $$;
create or replace function causeway.lower_fee() returns trigger language plpgsql as $$
begin
  if old.type not in ('chain_withdraw', 'chain_accelerate') or new.fee >= old.fee then
    raise exception 'the fee of a transaction is lowered by what was not used' using errcode = 'CW001';
  end if;
  return new;
end $$;
