-- Every five minutes the worker looks for rows that were sent again and whose earlier payment was made after all (docs/adr/0115-…), and asks first, outside of any
-- company, which companies have sent rows again.
create policy worker_reads on causeway.payout_batch_run for select to causeway_worker using (number > 1);
