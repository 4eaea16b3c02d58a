-- A payment to the seller that came to nothing is reported to the platform, and what came out of escrow is frozen again (docs/adr/0107-…).

alter table causeway.trade_line drop constraint trade_line_step_check;
alter table causeway.trade_line add constraint trade_line_step_check check (step in ('announced', 'updated', 'contradicted', 'submitted', 'frozen',
  'refused', 'withdrawn', 'declined', 'released', 'returned', 'disputed', 'cancelled', 'release_failed', 'release_paid', 'refrozen'));
-- The payment that a line is about.
alter table causeway.trade_line add column transaction_id uuid;
alter table causeway.trade_line add foreign key (company_id, transaction_id) references causeway.trade_release (company_id, transaction_id);
create index trade_line_of_release on causeway.trade_line (company_id, transaction_id) where transaction_id is not null;

alter table causeway.trade_message drop constraint trade_message_type_check;
alter table causeway.trade_message add constraint trade_message_type_check check (type in ('trade.confirmed', 'trade.declined', 'trade.released',
  'trade.disputed', 'trade.release_failed', 'trade.release_paid'));
-- The worker follows payments to sellers to their ends.
grant insert on causeway.trade_message to causeway_worker;
