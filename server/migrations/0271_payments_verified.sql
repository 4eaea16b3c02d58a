-- A payee's bank is asked for the name again when it is paid: what it says then is the payment's, and when it said it.
alter table causeway.payout add column verified_at timestamptz;
grant update (verification, verified_name, verified_at) on causeway.payout to causeway_worker;
