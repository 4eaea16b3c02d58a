-- Change goes to addresses of a branch of its own, which no one is shown: ordinals from a thousand million on (docs/adr/0087).
alter table causeway.chain_further_address
  add column is_change boolean generated always as (derivation_index >= 1000000000) stored;
create or replace view causeway.chain_own_address with (security_invoker = true) as
  select company_id, chain_id, address, 0::bigint as ordinal, first_used_at, false as is_change from causeway.chain_address
  union all
  select company_id, chain_id, address, derivation_index, first_used_at, is_change from causeway.chain_further_address;

create or replace function causeway.receiving_address(p_chain_id text) returns text language sql stable
  set search_path = causeway, pg_temp as $$
  select coalesce(
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id and not o.is_change and o.ordinal > coalesce((
       select max(u.ordinal) from chain_own_address u
       where u.company_id = company_id() and u.chain_id = p_chain_id and not u.is_change and u.first_used_at is not null), -1)
     order by o.ordinal limit 1),
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id and not o.is_change order by o.ordinal desc limit 1));
$$;

-- A deposit that waits for a block is in none. What its payer may still do to it, and how soon a block takes it, is known only then.
alter table causeway.deposit
  alter column block_number drop not null,
  alter column block_hash drop not null,
  add constraint deposit_block check ((block_number is null) = (block_hash is null)),
  -- Its payer has kept the right to replace it (BIP 125).
  add column replaceable boolean,
  -- What it pays for a block, with what it needs before: thousandths of a satoshi per virtual byte.
  add column fee_rate integer check (fee_rate >= 0),
  add constraint deposit_waiting check (block_number is not null or state not in ('credited', 'reversed'));
create index deposit_waiting on causeway.deposit (chain_id) where state = 'inbound' and block_number is null;

-- Outputs that pay addresses of ours on Bitcoin's chains: what there is to spend. All of it can be read from the chain again.
create table causeway.bitcoin_output (
  company_id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  index integer not null check (index >= 0),
  address text not null,
  -- Satoshis.
  amount bigint not null check (amount > 0),
  -- Came back from a payment of the company's own: no deposit, and spendable before a block has it.
  is_change boolean not null,
  -- Null while it waits for a block.
  block_number bigint,
  block_hash text,
  -- The transaction that spends it, in a block or waiting for one.
  spent_by text,
  spent_block bigint,
  -- The payment that plans to spend it, or has.
  payment_id uuid,
  seen_at timestamptz not null default now(),
  primary key (company_id, chain_id, hash, index),
  check ((block_number is null) = (block_hash is null)),
  check (spent_block is null or spent_by is not null)
);
call causeway.fence('causeway.bitcoin_output');
create policy watcher on causeway.bitcoin_output to causeway_worker using (true) with check (true);
create policy console_reads on causeway.bitcoin_output for select to causeway_console using (true);
create index bitcoin_output_spendable on causeway.bitcoin_output (company_id, chain_id, amount desc)
  where spent_by is null and payment_id is null;
create index bitcoin_output_block on causeway.bitcoin_output (chain_id, block_number);
create index bitcoin_output_spent on causeway.bitcoin_output (chain_id, spent_block) where spent_block is not null;
create index bitcoin_output_waiting on causeway.bitcoin_output (chain_id)
  where block_number is null or (spent_by is not null and spent_block is null);
create index bitcoin_output_payment on causeway.bitcoin_output (payment_id) where payment_id is not null;
grant select on causeway.bitcoin_output to causeway_app, causeway_operator, causeway_console;
grant select, insert, update, delete on causeway.bitcoin_output to causeway_worker;

-- What a virtual byte costs, in thousandths of a satoshi, as the worker last published it: it moves only when it must, so that
-- a fee that was shown is still the fee a minute later.
create table causeway.bitcoin_fee_rate (
  chain_id text primary key references causeway.chain (id),
  economy integer not null check (economy > 0),
  normal integer not null check (normal >= economy),
  urgent integer not null check (urgent >= normal),
  minimum integer not null check (minimum > 0),
  published_at timestamptz not null default now(),
  -- When the nodes were last asked.
  asked_at timestamptz not null default now()
);
grant select on causeway.bitcoin_fee_rate to causeway_app, causeway_operator, causeway_console;
grant select, insert, update on causeway.bitcoin_fee_rate to causeway_worker;

-- What a transfer was promised to pay for a block; the person who submitted it saw and chose it.
create table causeway.bitcoin_fee (
  company_id uuid not null,
  transaction_id uuid not null,
  level text not null check (level in ('economy', 'normal', 'urgent')),
  -- Satoshis, for the miner: of the transaction's fee all but the operator's part. Raised when it is sped up.
  network_fee bigint not null check (network_fee > 0),
  -- Virtual bytes that were counted.
  vsize integer not null check (vsize > 0),
  created_at timestamptz not null default now(),
  primary key (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.bitcoin_fee');
create policy watcher on causeway.bitcoin_fee for select to causeway_worker using (true);
grant select on causeway.bitcoin_fee to causeway_operator;
grant select, insert, update (network_fee) on causeway.bitcoin_fee to causeway_app;
grant select, update (network_fee) on causeway.bitcoin_fee to causeway_worker;
-- What of a fee was not used is given back before the payment is settled.
grant update (fee, updated_at) on causeway.transaction to causeway_worker;

-- Which entries of the signer's journal have used an output.
create index signer_journal_inputs on causeway.signer_journal using gin ((plan -> 'inputs') jsonb_path_ops) where plan is not null;

-- Transfers are submitted in batches of several companies.
call causeway.admit_batches('causeway.bitcoin_output', 'select');
call causeway.admit_batches('causeway.bitcoin_fee', 'insert');
grant select on causeway.bitcoin_fee_rate, causeway.chain_cursor to causeway_batch;

-- The amounts of a transaction change while it is priced anew. Of a transfer that waits for a block its initiator may raise the fee, and what of
-- the fee was not used is given back as it is settled.
create or replace function causeway.keep_amounts() returns trigger language plpgsql as $$
declare
  is_raised constant boolean := old.type = 'chain_withdraw' and old.stage = 'broadcast' and new.fee > old.fee
    and (new.quantity, new.amount_whole, new.counter_quantity, new.rate, new.rate_source, new.rate_at, new.quote_id)
      is not distinct from (old.quantity, old.amount_whole, old.counter_quantity, old.rate, old.rate_source, old.rate_at, old.quote_id);
begin
  if (old.type not in ('crypto_exchange_out', 'fiat_exchange_out', 'crypto_payout') or old.stage not in ('waiting_approval', 'waiting_rate'))
    and not is_raised then
    raise exception 'the amounts of a transaction do not change' using errcode = 'CW001';
  end if;
  return new;
end $$;
create function causeway.lower_fee() returns trigger language plpgsql as $$
begin
  if old.type <> 'chain_withdraw' or new.fee >= old.fee then
    raise exception 'the fee of a transaction is lowered by what was not used' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger fee_lowered before update of fee on causeway.transaction
  for each row when (current_user = 'causeway_worker') execute function causeway.lower_fee();
