-- A miner's reward: the network lets it be spent after so many blocks, which is more than the depth of a chain.
alter table causeway.deposit add column least_depth integer check (least_depth > 0);
alter table causeway.bitcoin_output add column least_depth integer check (least_depth > 0);
