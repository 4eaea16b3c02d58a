-- What people changed of a batch's rows after its file was read: approvers, who see the file's hash, see that the rows are others.
alter table causeway.payout_batch
  add column rows_added integer not null default 0 check (rows_added >= 0),
  add column rows_removed integer not null default 0 check (rows_removed >= 0);
alter table causeway.payout_batch_row add column is_mended boolean not null default false;
grant update (rows_added, rows_removed) on causeway.payout_batch to causeway_app;
grant update (is_mended) on causeway.payout_batch_row to causeway_app;
