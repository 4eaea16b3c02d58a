-- Two operators want this attempt replaced by a dearer one before its time (docs/OPERATIONS.md); ends with the replacement.
alter table causeway.chain_send add column hastened_at timestamptz;
