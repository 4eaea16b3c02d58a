-- The bank's own reference of a payment, for people who ask the bank about it.
alter table causeway.transaction add column bank_reference text;
