-- A small transfer that is sent first, to see that it arrives, and the transfer of the rest after it. Bookkeeping alone: what leaves
-- is decided and signed for each by itself.
create table causeway.transfer_test (
  company_id uuid not null,
  transaction_id uuid not null,
  -- Minor units: what test and rest come to together.
  total causeway.positive_amount not null,
  primary key (company_id, transaction_id)
);
call causeway.fence('causeway.transfer_test');
create table causeway.transfer_rest (
  company_id uuid not null,
  transaction_id uuid not null,
  test_id uuid not null,
  primary key (company_id, transaction_id),
  foreign key (company_id, test_id) references causeway.transfer_test (company_id, transaction_id)
);
call causeway.fence('causeway.transfer_rest');
create index transfer_rest_test on causeway.transfer_rest (company_id, test_id);
grant select on causeway.transfer_test, causeway.transfer_rest to causeway_app;
call causeway.admit_batches('causeway.transfer_test', 'select');
call causeway.admit_batches('causeway.transfer_test', 'insert');
call causeway.admit_batches('causeway.transfer_rest', 'select');
call causeway.admit_batches('causeway.transfer_rest', 'insert');
