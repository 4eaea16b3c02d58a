-- Why a bank refused a payment or sent it back, by the bank's own code and words; and until when the payee's account counted as changed,
-- for lists and papers that show a transaction without what belongs to its rail.
alter table causeway.transaction add column bank_reason text, add column bank_words text, add column payee_changed_until timestamptz;
grant update (bank_reason, bank_words) on causeway.transaction to causeway_worker;

-- The words beside the code of a return (camt.054, RtrInf/AddtlInf).
alter table causeway.bank_money add column return_words text;

-- A payment that was submitted or ended before this file.
alter table causeway.transaction no force row level security;
alter table causeway.payout no force row level security;
alter table causeway.payout_answer no force row level security;
alter table causeway.payout_money no force row level security;
update causeway.transaction t set payee_changed_until = o.changed_until
from causeway.payout o where o.company_id = t.company_id and o.transaction_id = t.id and o.changed_until is not null;
update causeway.transaction t set bank_reason = a.reason, bank_words = a.words
from causeway.payout_answer a
where a.company_id = t.company_id and a.transaction_id = t.id and t.stage = 'failed' and coalesce(a.reason, a.words) is not null
  and a.number = (select max(l.number) from causeway.payout_answer l
    where l.company_id = a.company_id and l.transaction_id = a.transaction_id and coalesce(l.reason, l.words) is not null);
update causeway.transaction t set bank_reason = b.return_reason
from causeway.payout_money m join causeway.bank_money b on b.id = m.money_id
where m.company_id = t.company_id and m.transaction_id = t.id and m.kind = 'returned' and t.stage = 'returned';
alter table causeway.transaction force row level security;
alter table causeway.payout force row level security;
alter table causeway.payout_answer force row level security;
alter table causeway.payout_money force row level security;
