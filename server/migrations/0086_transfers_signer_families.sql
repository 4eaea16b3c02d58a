-- Entries of the signer's journal are of a family of chains (docs/adr/0056). Those of the EVM family have their columns, which
-- the hashes of the entries cover; others have a plan in a form of their own. Kinds are the family's.
alter table causeway.signer_journal
  add column family text not null default 'evm' check (family ~ '^[a-z][a-z0-9-]{0,31}$'),
  add column plan jsonb check (jsonb_typeof(plan) = 'object'),
  alter column from_address drop not null,
  alter column nonce drop not null,
  alter column gas_limit drop not null,
  alter column max_fee_per_gas drop not null,
  alter column max_priority_fee_per_gas drop not null,
  drop constraint signer_journal_kind_check,
  add constraint signer_journal_kind_check check (kind ~ '^[a-z][a-z-]{0,31}$'),
  add constraint signer_journal_plan check ((family = 'evm') = (plan is null)),
  add constraint signer_journal_evm check (
    num_nonnulls(from_address, nonce, gas_limit, max_fee_per_gas, max_priority_fee_per_gas) = case when plan is null then 5 else 0 end
    and (plan is null or derivation_index is null));
