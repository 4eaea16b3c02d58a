-- An attempt on an EVM chain has a nonce, gas and fees in columns of its own; of another family's, what it spends and pays is its
-- plan, in the family's own form (docs/adr/0054-a-family-plans-its-payments.md).
alter table causeway.chain_send
  alter column nonce drop not null,
  alter column gas_limit drop not null,
  alter column max_fee_per_gas drop not null,
  alter column max_priority_fee_per_gas drop not null,
  add column plan jsonb,
  add constraint chain_send_plan check (
    (nonce is null) = (plan is not null)
    and (nonce is null) = (gas_limit is null)
    and (nonce is null) = (max_fee_per_gas is null)
    and (nonce is null) = (max_priority_fee_per_gas is null));
