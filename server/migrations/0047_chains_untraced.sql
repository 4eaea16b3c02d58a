-- Coins that only traces and balances show: which blocks wait for their trace, and up to where each address's balance is
-- explained (docs/adr/0043-…).

-- Blocks whose transactions may hide transfers of the chain's own coin. A row goes when its block was traced, when every
-- address's balance was found to agree at a later block, or when a reorganisation takes the block away.
create table causeway.chain_untraced (
  chain_id text not null references causeway.chain (id),
  height bigint not null,
  hash text not null,
  attempts integer not null default 0,
  -- What kept it from being traced: unavailable, slow, unfinished, disagreement.
  problem text,
  seen_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  primary key (chain_id, height)
);
grant select, insert, update, delete on causeway.chain_untraced to causeway_worker;
grant select on causeway.chain_untraced to causeway_app, causeway_operator;

-- The last block at whose end an address's balance of the chain's own coin was explained, and that balance in wei.
create table causeway.chain_balance (
  chain_id text not null references causeway.chain (id),
  address text not null,
  height bigint not null,
  wei numeric(78, 0) not null check (wei >= 0),
  primary key (chain_id, address)
);
grant select, insert, update, delete on causeway.chain_balance to causeway_worker;
grant select on causeway.chain_balance to causeway_operator;

-- Raised when a deposit was found in a block that had been read before: whoever draws the consequences of a height does so again.
alter table causeway.chain_cursor add column revision bigint not null default 0;

-- The contract-sent deposits of an address in a block, and the native ones of a range.
create index deposit_block on causeway.deposit (chain_id, block_hash) where output like 'internal:%' or output like 'balance:%';

-- How deep an inbound deposit lies, beside its state: what has not changed is not written again.
alter table causeway.deposit add column confirmations integer not null default 0;
