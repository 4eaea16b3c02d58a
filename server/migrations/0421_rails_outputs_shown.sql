-- Operators read the outputs of one owner page by page: those that no block has spent, by age or by amount.

-- An output has one id wherever it is read; a cursor needs one.
alter table causeway.bitcoin_output
  add column id uuid not null generated always as (md5(chain_id || '/' || hash || ':' || index)::uuid) stored;
create index bitcoin_output_by_time on causeway.bitcoin_output (company_id, chain_id, seen_at, id) where spent_block is null;
create index bitcoin_output_by_amount on causeway.bitcoin_output (company_id, chain_id, amount, id) where spent_block is null;

-- Where the rates come from, and the bounds that the configuration sets, in thousandths of a satoshi: the console has no configuration of chains.
alter table causeway.bitcoin_fee_rate
  add column source text not null default 'nodes' check (source in ('nodes', 'fallback')),
  add column floor integer,
  add column ceiling integer;
