-- A column with values whose meaning is not known is not left out before a person has said so.

alter table causeway.payout_batch
  -- False: a person has not said yet what each column of the file is.
  add column is_matched boolean not null default true;

alter table causeway.payout_batch_mapping
  -- Places (counted from 0) of the columns that had values when a person matched them: the others were never looked at. Null: matched before this was kept.
  add column filled integer[];

grant update (is_matched) on causeway.payout_batch to causeway_app;
grant update (filled) on causeway.payout_batch_mapping to causeway_app;
