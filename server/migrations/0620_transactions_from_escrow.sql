-- What a payment to the seller of a guaranteed trade has taken out of escrow, in minor units: it goes back there, and not to what is available, if the payment
-- comes to nothing (docs/adr/0113-…). Null: nothing.
alter table causeway.transaction add column from_escrow numeric(78, 0);
alter table causeway.transaction add constraint transaction_from_escrow_check check (from_escrow > 0 and from_escrow <= quantity) not valid;
alter table causeway.transaction no force row level security;
alter table causeway.trade_release no force row level security;
update causeway.transaction t set from_escrow = r.from_escrow
from causeway.trade_release r
where r.company_id = t.company_id and r.transaction_id = t.id and r.from_escrow > 0 and t.status = 'pending';
alter table causeway.trade_release force row level security;
alter table causeway.transaction force row level security;
alter table causeway.transaction validate constraint transaction_from_escrow_check;
grant update (from_escrow) on causeway.transaction to causeway_app;
