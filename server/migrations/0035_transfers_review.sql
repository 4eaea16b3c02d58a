-- What a transfer was worth when it was submitted, in US cents: risk and approvals judge it by this for as long as it lives,
-- whatever the price does meanwhile. Null for what was never judged.
alter table causeway.transaction add column value_usd_cents numeric(78, 0) check (value_usd_cents >= 0);

-- Transfers that are judged anew when the lists or the policies change.
create index transaction_unsigned on causeway.transaction (company_id, id)
  where type = 'chain_withdraw' and status = 'pending' and stage in ('waiting_approval', 'approved');
