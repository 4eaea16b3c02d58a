-- Chains, the coins on each, and what the watcher and the senders remember. The registry is written by the migration
-- program from CHAINS_FILE; minimums and fees are the operator's.

create table causeway.chain (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{0,31}$'),
  family text not null check (family in ('evm')),
  name text not null,
  -- EIP-155.
  evm_chain_id bigint not null unique,
  confirmations integer not null check (confirmations >= 1),
  native_coin text not null references causeway.asset (id),
  explorer_url text,
  enabled boolean not null default true
);

create table causeway.chain_asset (
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  -- EIP-55; null for the chain's own coin.
  contract text,
  -- crypto_withdraw_fee, minor units of the coin that is sent.
  withdraw_fee numeric(78, 0) not null check (withdraw_fee >= 0),
  enabled boolean not null default true,
  primary key (chain_id, coin),
  unique (chain_id, contract)
);
grant select on causeway.chain, causeway.chain_asset to causeway_app, causeway_worker, causeway_signer, causeway_operator;
grant update (enabled) on causeway.chain to causeway_operator;
grant update (withdraw_fee, enabled) on causeway.chain_asset to causeway_operator;

-- Up to which block the watcher has read, and the hashes of the blocks that can still be reorganised away.
create table causeway.chain_cursor (
  chain_id text primary key references causeway.chain (id),
  height bigint not null,
  hash text not null,
  updated_at timestamptz not null default now()
);
create table causeway.chain_block (
  chain_id text not null references causeway.chain (id),
  height bigint not null,
  hash text not null,
  primary key (chain_id, height)
);
grant select, insert, update, delete on causeway.chain_cursor, causeway.chain_block to causeway_worker;
grant select on causeway.chain_cursor to causeway_app, causeway_operator;

-- One row an address on a chain: a company's (company_id) or the gas tank's (the nil UUID). The next nonce is given out
-- under this row's lock, so nonces have no gaps and no twins.
create table causeway.chain_address (
  company_id uuid not null,
  chain_id text not null references causeway.chain (id),
  -- EIP-55.
  address text not null,
  -- BIP32 index under the account key: …/0/index; null for the gas tank.
  derivation_index bigint,
  next_nonce bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (company_id, chain_id),
  unique (chain_id, address),
  unique (chain_id, derivation_index)
);
call causeway.fence('causeway.chain_address');
create policy signer_reads on causeway.chain_address for select to causeway_signer using (true);
-- The watcher has to know whose address a deposit names.
create policy watcher on causeway.chain_address to causeway_worker using (true) with check (true);
grant select on causeway.chain_address to causeway_app, causeway_signer, causeway_operator;
grant select, insert, update (next_nonce) on causeway.chain_address to causeway_worker;

-- One index a company, the same on every EVM chain.
create sequence causeway.company_derivation_index as bigint minvalue 0 start 0;
grant usage on sequence causeway.company_derivation_index to causeway_worker;
