-- Addresses from which nothing may be sent, and payments on the chain that no row of ours explains (docs/adr/0042).

-- A sending address, a company's or the gas tank's (the nil UUID), whose nonces on the chain are not all explained. While
-- its row is here nothing is signed, broadcast or replaced from there.
create table causeway.sender_hold (
  company_id uuid not null,
  chain_id text not null references causeway.chain (id),
  address text not null,
  -- ahead: the chain counts more transactions than we gave nonces; unexplained: a payment of it is in unexplained_payment.
  reason text not null check (reason in ('ahead', 'unexplained')),
  -- How many transactions the chain counted, and our next nonce then.
  chain_nonce bigint not null,
  next_nonce bigint not null,
  held_at timestamptz not null default now(),
  -- The operator's word that transactions below this nonce were made outside and are settled (`payments accept-nonce`).
  accepted_nonce bigint,
  primary key (company_id, chain_id),
  foreign key (company_id, chain_id) references causeway.chain_address (company_id, chain_id)
);
call causeway.fence('causeway.sender_hold');
create policy watcher on causeway.sender_hold to causeway_worker using (true) with check (true);
create policy operator_writes on causeway.sender_hold for update to causeway_operator using (true) with check (true);
grant select on causeway.sender_hold to causeway_app, causeway_operator;
grant select, insert, update, delete on causeway.sender_hold to causeway_worker;
grant update (accepted_nonce) on causeway.sender_hold to causeway_operator;

-- What left an address of ours by a transaction that no chain_send names: one row for each coin that it moved.
create table causeway.unexplained_payment (
  company_id uuid not null,
  id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null,
  from_address text not null,
  -- Names the movement within its transaction: `native`, `log:2`; `none` where nothing that we know moved.
  output text not null,
  -- Null where another address sent the transaction, by an allowance.
  nonce bigint,
  to_address text,
  -- What was to be moved; null where it is no coin of this installation.
  coin text references causeway.asset (id),
  amount numeric(78, 0) not null check (amount >= 0),
  -- Wei, on the first row of a transaction that our address sent; 0 on all others.
  network_fee numeric(78, 0) not null check (network_fee >= 0),
  -- False when the chain took the fee and refused the rest.
  succeeded boolean not null,
  -- The signed bytes with their limits; null unless our signer could have made them.
  raw text,
  gas_limit numeric(78, 0) not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  block_number bigint not null,
  block_hash text not null,
  seen_at timestamptz not null default now(),
  state text not null default 'open' check (state in ('open', 'matched', 'booked')),
  -- What the operator decided; the worker does it, since it alone may write the books.
  decision text check (decision in ('match', 'book')),
  -- match: the transfer that it is. book: the id that the correction takes, that of a lost transfer where the journal names one.
  transfer_id uuid,
  reason text,
  decided_by text,
  decided_at timestamptz,
  -- Why the worker could not do it yet, `payment.obstacle.*`.
  obstacle text,
  explained_at timestamptz,
  primary key (company_id, id),
  unique (chain_id, hash, from_address, output)
);
call causeway.fence('causeway.unexplained_payment');
create policy watcher on causeway.unexplained_payment to causeway_worker using (true) with check (true);
create policy operator_writes on causeway.unexplained_payment for update to causeway_operator using (true) with check (true);
create index unexplained_payment_open on causeway.unexplained_payment (chain_id, from_address) where state = 'open';
create index unexplained_payment_nonce on causeway.unexplained_payment (chain_id, from_address, nonce);
create index unexplained_payment_block on causeway.unexplained_payment (chain_id, block_number);
grant select on causeway.unexplained_payment to causeway_app, causeway_operator;
grant select, insert, update, delete on causeway.unexplained_payment to causeway_worker;
grant update (decision, transfer_id, reason, decided_by, decided_at) on causeway.unexplained_payment to causeway_operator;

-- A payment whose nonce another transaction used, finally: it can never be mined. `release_…` is the operator's decision to
-- give the transfer's hold back.
alter table causeway.chain_send
  add column superseded_at timestamptz,
  add column release_reason text,
  add column release_by text,
  add column released_at timestamptz;
create index chain_send_release on causeway.chain_send (chain_id) where release_reason is not null and released_at is null;
create index chain_send_superseded on causeway.chain_send (chain_id) where superseded_at is not null and released_at is null;
create policy operator_writes on causeway.chain_send for update to causeway_operator using (true) with check (true);
grant update (release_reason, release_by) on causeway.chain_send to causeway_operator;
