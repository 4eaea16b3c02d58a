-- Indexes that no statement reads (docs/adr/0110-…). Each row of a run wrote five, and two say what another says: a row's entries are found by the primary key once its row comes first, and those of a
-- run by their positions. No list was in the order of the third, since lists sort by a number that is made of rank and position.
alter table causeway.payout_batch_entry
  drop constraint payout_batch_entry_pkey,
  add primary key (company_id, row_id, run_id);
drop index causeway.payout_batch_entry_row;
drop index causeway.payout_batch_entry_ranked;

-- Payments that a rail has not begun are asked for by type and with those that wait for a rate, which are not in it.
drop index causeway.transaction_unsigned;
