-- When the payer of a settled request was mailed its receipt, so that it is mailed once.
alter table causeway.payment_request add column receipt_mailed_at timestamptz;
grant update (receipt_mailed_at) on causeway.payment_request to causeway_worker;
grant select (receipt_mailed_at) on causeway.payment_request to causeway_operator, causeway_console;
