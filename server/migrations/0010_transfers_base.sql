-- Transactions of every kind, their stages, and the lifecycle of transfers on a chain.

create table causeway.transaction (
  company_id uuid not null,
  id uuid not null,
  type text not null check (type in ('chain_deposit', 'chain_withdraw', 'crypto_payout', 'failed_refund',
    'crypto_exchange_out', 'crypto_exchange_in', 'fiat_deposit', 'fiat_payout')),
  status text not null check (status in ('completed', 'pending', 'failed')),
  stage text not null,
  stage_at timestamptz not null default now(),
  direction text not null check (direction in ('in', 'out')),
  wallet_id uuid not null,
  chain_id text references causeway.chain (id),
  coin text not null references causeway.asset (id),
  quantity numeric(78, 0) not null check (quantity > 0),
  fee numeric(78, 0) not null default 0 check (fee >= 0),
  payee_id uuid,
  -- Names and accounts as they were, so that a deleted payee is still named.
  payer_name text,
  payer_account text,
  payee_name text,
  payee_account text,
  description text not null default '',
  notes text not null default '',
  hash text,
  block_number bigint,
  block_hash text,
  confirmations integer,
  initiator_id uuid,
  initiator_name text,
  related_id uuid,
  -- SHA-256 of what codes, approvals and signatures are bound to (transfers only).
  digest bytea,
  failure_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.transaction');
create policy signer_reads on causeway.transaction for select to causeway_signer using (true);
grant select, insert on causeway.transaction to causeway_app, causeway_worker;
grant update (status, stage, stage_at, hash, block_number, block_hash, confirmations, related_id, failure_reason, updated_at, completed_at)
  on causeway.transaction to causeway_app, causeway_worker;
grant select on causeway.transaction to causeway_signer, causeway_operator;
create index transaction_time on causeway.transaction (company_id, created_at desc, id desc);
create index transaction_type on causeway.transaction (company_id, type, created_at desc, id desc);
create index transaction_status on causeway.transaction (company_id, status, created_at desc, id desc);
create index transaction_coin on causeway.transaction (company_id, coin, created_at desc, id desc);
create index transaction_wallet on causeway.transaction (company_id, wallet_id, created_at desc, id desc);
create index transaction_payee on causeway.transaction (company_id, payee_id, created_at desc) where payee_id is not null;

-- The timeline, append-only.
create table causeway.transaction_stage (
  company_id uuid not null,
  transaction_id uuid not null,
  id uuid not null,
  stage text not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  actor_name text,
  hash text,
  -- The id of a sentence in the server's catalogues, `stage.reason.*`.
  reason text,
  confirmations integer,
  primary key (company_id, transaction_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.transaction_stage');
grant select, insert on causeway.transaction_stage to causeway_app, causeway_worker;
grant select on causeway.transaction_stage to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.transaction_stage
  for each statement execute function causeway.refuse_change();

create table causeway.transfer_attachment (
  company_id uuid not null,
  transaction_id uuid not null,
  file_id uuid not null,
  position integer not null check (position between 0 and 4),
  primary key (company_id, transaction_id, file_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.transfer_attachment');
create policy signer_reads on causeway.transfer_attachment for select to causeway_signer using (true);
grant select, insert on causeway.transfer_attachment to causeway_app;
grant select on causeway.transfer_attachment to causeway_worker, causeway_signer, causeway_operator;

-- What the signer checks before it signs: a JWS (EdDSA) by the HTTP process over the digest, the initiator and the proof
-- of the code. The worker may read it and cannot make one: it has neither the right to insert nor the key.
create table causeway.transfer_authorisation (
  company_id uuid not null,
  transfer_id uuid not null,
  jws text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, transfer_id),
  foreign key (company_id, transfer_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.transfer_authorisation');
create policy signer_reads on causeway.transfer_authorisation for select to causeway_signer using (true);
grant select, insert on causeway.transfer_authorisation to causeway_app;
grant select on causeway.transfer_authorisation to causeway_worker, causeway_signer, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.transfer_authorisation
  for each statement execute function causeway.refuse_change();

-- Deposits, unique by chain, transaction hash and output (log index, or `native`, or `internal:<trace>`).
create table causeway.deposit (
  company_id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null,
  output text not null,
  transaction_id uuid not null,
  block_number bigint not null,
  block_hash text not null,
  state text not null check (state in ('inbound', 'credited', 'orphaned', 'reversed')),
  -- Raised when a reorganisation brings the same output back after it was taken away.
  incarnation integer not null default 1,
  primary key (company_id, chain_id, hash, output),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.deposit');
create policy watcher on causeway.deposit to causeway_worker using (true) with check (true);
create index deposit_open on causeway.deposit (chain_id, block_number) where state in ('inbound', 'credited');
grant select on causeway.deposit to causeway_app, causeway_operator;
grant select, insert, update on causeway.deposit to causeway_worker;

-- Payments on the chain: signed bytes, stored before the first broadcast. Attempts of one payment share one nonce, so that
-- at most one of them can ever be mined; a row is made with its nonce, before anything is signed.
create table causeway.chain_send (
  company_id uuid not null,
  -- The transfer's own id, or that of a gas top-up.
  payment_id uuid not null,
  -- Raised when a stuck one is replaced by a dearer one.
  attempt integer not null check (attempt >= 1),
  -- A company's transfer, or the gas tank's advance for the network fee of that transfer.
  kind text not null check (kind in ('transfer', 'gas')),
  transfer_id uuid not null,
  chain_id text not null references causeway.chain (id),
  from_address text not null,
  nonce bigint not null check (nonce >= 0),
  -- Minor units of what is sent: the transfer's quantity, or wei.
  amount numeric(78, 0) not null check (amount > 0),
  gas_limit numeric(78, 0) not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  hash text,
  raw text,
  created_at timestamptz not null default now(),
  first_broadcast_at timestamptz,
  last_broadcast_at timestamptz,
  mined_block bigint,
  mined_hash text,
  -- What the network took, in wei, once final.
  gas_cost numeric(78, 0),
  final_at timestamptz,
  -- How often it has been final: a reorganisation deeper than the chain's depth takes a final one back.
  finals integer not null default 0,
  primary key (company_id, payment_id, attempt),
  check ((hash is null) = (raw is null)),
  unique (chain_id, hash),
  unique (chain_id, from_address, nonce, attempt)
);
call causeway.fence('causeway.chain_send');
create policy watcher on causeway.chain_send to causeway_worker using (true) with check (true);
create index chain_send_open on causeway.chain_send (chain_id, from_address, nonce) where final_at is null;
create index chain_send_mined on causeway.chain_send (chain_id, mined_block) where mined_block is not null;
create index chain_send_transfer on causeway.chain_send (company_id, transfer_id, kind);
grant select on causeway.chain_send to causeway_app, causeway_operator;
grant select, insert, delete, update on causeway.chain_send to causeway_worker;

-- Transfers that stand before or in signing for longer than a job takes: paused by a frozen wallet, or left by a job
-- that gave up. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select on causeway.transaction to causeway_lookup;
create policy lookup_unsent on causeway.transaction for select to causeway_lookup
  using (type = 'chain_withdraw' and status = 'pending');
create index transaction_unsent on causeway.transaction (chain_id, stage_at)
  where type = 'chain_withdraw' and status = 'pending' and stage in ('approved', 'signing');
create function causeway.transfers_unsent(p_chain_id text, p_before timestamptz)
returns table (company_id uuid, id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id from transaction t
  where t.chain_id = p_chain_id and t.type = 'chain_withdraw' and t.status = 'pending'
    and t.stage in ('approved', 'signing') and t.stage_at < p_before
  order by t.stage_at limit 200;
$$;
alter function causeway.transfers_unsent owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.transfers_unsent from public;
grant execute on function causeway.transfers_unsent to causeway_worker;

-- The signer's own journal: its intent, written before it signs. One payment has one nonce, whatever the attempt.
create table causeway.signer_journal (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  transfer_id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('transfer', 'gas')),
  chain_id text not null,
  from_address text not null,
  nonce bigint not null,
  to_address text not null,
  coin text not null,
  amount numeric(78, 0) not null,
  gas_limit numeric(78, 0) not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  at timestamptz not null default now()
);
create index signer_journal_nonce on causeway.signer_journal (chain_id, from_address, nonce);
create index signer_journal_payment on causeway.signer_journal (payment_id);
create index signer_journal_gas on causeway.signer_journal (at) where kind = 'gas';
grant select, insert on causeway.signer_journal to causeway_signer;
grant select on causeway.signer_journal to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.signer_journal
  for each statement execute function causeway.refuse_change();

-- The signer also looks whether a transfer was ended: the timeline is append-only, the stage is not.
create policy signer_reads on causeway.transaction_stage for select to causeway_signer using (true);
grant select on causeway.transaction_stage to causeway_signer;
