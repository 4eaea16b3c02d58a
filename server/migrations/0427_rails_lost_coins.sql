-- A payment may spend a coin that a reorganisation took for good (docs/adr/0093): what made the coin can be in no block any more.

-- The outputs that the transaction which made it spends, `<hash>:<position>`, the first twenty: one of them spent by another transaction shows
-- that this output is gone for good. Null of outputs from before this release, and of a miner's reward.
alter table causeway.bitcoin_output add column needs text[];

-- Outputs that a signed payment spends and that neither a block nor a mempool has any more. A row goes when its output is back.
create table causeway.bitcoin_lost_coin (
  company_id uuid not null,
  payment_id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  index integer not null check (index >= 0),
  needs text[],
  lost_at timestamptz not null default now(),
  -- The height of the watcher when it was first missed.
  lost_block bigint not null,
  -- The height of the watcher when the nodes were last asked.
  judged_block bigint,
  -- What a block has in the place of the transaction that made it, where that is known.
  replaced_by text check (replaced_by ~ '^[0-9a-f]{64}$'),
  primary key (company_id, payment_id, hash, index)
);
call causeway.fence('causeway.bitcoin_lost_coin');
create policy watcher on causeway.bitcoin_lost_coin to causeway_worker using (true) with check (true);
create index bitcoin_lost_coin_output on causeway.bitcoin_lost_coin (chain_id, hash, index);
grant select on causeway.bitcoin_lost_coin to causeway_app, causeway_operator, causeway_console;
grant select, insert, update, delete on causeway.bitcoin_lost_coin to causeway_worker;
