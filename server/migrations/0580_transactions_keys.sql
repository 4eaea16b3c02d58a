-- What a row of a batch costs (docs/adr/0110-…). An address is known for one of an EVM chain by its length and its beginning: each family checks what is written, and no
-- other family has such an address. A regular expression asked the same of every character, twice for each side of every transaction.
create or replace function causeway.address_likeness(address text) returns text language sql immutable parallel safe
  return case when length(address) = 42 and starts_with(address, '0x') then lower(substr(address, 3, 4) || right(address, 4)) end;
create or replace function causeway.address_ending(address text) returns text language sql immutable parallel safe
  return case when not (length(address) = 42 and starts_with(address, '0x')) then lower(right(address, 4)) end;
-- An index keeps what its function returned: it is made again where one of its rows could differ.
reindex index causeway.transaction_payer_likeness;
reindex index causeway.transaction_payee_likeness;
reindex index causeway.transaction_payer_ending;
reindex index causeway.transaction_payee_ending;

-- NOT ENFORCED: kept by the statements that write these rows behind their transaction and their run, in the same database transaction. Nothing deletes a transaction or a run. Enforced, each
-- row locked its transaction, which wrote it a second time. The row of a batch can be deleted, so its key stays.
alter table causeway.outgoing_authorisation
  alter constraint transfer_authorisation_company_id_transfer_id_fkey not enforced;
alter table causeway.payout_batch_entry
  alter constraint payout_batch_entry_company_id_run_id_fkey not enforced,
  alter constraint payout_batch_entry_company_id_transaction_id_fkey not enforced;
