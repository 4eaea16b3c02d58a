-- Runs that sent rows again, of all companies: few, and the operator's queue looks through them every ten seconds for rows that were paid twice.
create index payout_batch_run_again on causeway.payout_batch_run (company_id, id) where number > 1;
