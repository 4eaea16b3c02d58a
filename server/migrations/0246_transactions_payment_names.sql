-- What payer and banks call a payment beside the bank's own reference, for people who match it in their books: the payer's reference
-- (EndToEndId) and the number that stays the same from bank to bank (UETR).
alter table causeway.transaction add column end_to_end text, add column uetr text;
grant update (end_to_end, uetr) on causeway.transaction to causeway_worker;

-- Deposits at banks so far have both at the bank's side.
alter table causeway.transaction no force row level security;
alter table causeway.bank_credit no force row level security;
update causeway.transaction t set end_to_end = c.end_to_end, uetr = m.uetr
from causeway.bank_credit c join causeway.bank_money m on m.id = c.money_id
where t.company_id = c.company_id and t.id = c.transaction_id and (c.end_to_end is not null or m.uetr is not null);
alter table causeway.transaction force row level security;
alter table causeway.bank_credit force row level security;
