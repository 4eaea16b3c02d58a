-- How long the chain takes for a block, from CHAINS_FILE: the console computes from it when a payment is expected to be final.
alter table causeway.chain add column block_time_ms integer not null default 12000 check (block_time_ms > 0);
alter table causeway.chain alter column block_time_ms drop default;
