-- A payment that can never be mined keeps the nonce of its address. Two operators have it replaced by an empty transaction: one of value 0 from
-- the address to itself, under the same nonce (docs/adr/0078-an-empty-transaction-takes-a-payment-s-nonce.md).

-- It is one more attempt of the payment, so that the chain takes at most one of them.
alter table causeway.chain_send
  add column is_empty boolean not null default false,
  -- When two operators wanted an empty transaction in the place of the payment; on every attempt that it had then.
  add column empty_wanted_at timestamptz,
  drop constraint chain_send_amount_check,
  add constraint chain_send_amount_check check (case when is_empty then amount = 0 else amount > 0 end),
  add constraint chain_send_empty check (not is_empty or (kind = 'transfer' and nonce is not null));
create index chain_send_empty_wanted on causeway.chain_send (chain_id) where empty_wanted_at is not null and final_at is null;

-- What two operators agreed on, under a seal of the operator's process, which is what the signer believes.
create table causeway.operator_replacement (
  proposal_id uuid primary key references causeway.operator_proposal (id),
  company_id uuid not null,
  transfer_id uuid not null,
  jws text not null,
  created_at timestamptz not null default now()
);
create index operator_replacement_transfer on causeway.operator_replacement (company_id, transfer_id);
grant select, insert (proposal_id, company_id, transfer_id, jws) on causeway.operator_replacement to causeway_console;
grant select on causeway.operator_replacement to causeway_signer;

-- The signer looks at the act's own record too: that it was carried out, and who agreed on it.
grant select (proposal_id, kind, company_id, subject_id, proposed_by, confirmed_by, state) on causeway.operator_act to causeway_signer;
