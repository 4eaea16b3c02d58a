-- What the bank writes beside a booking in its own words (camt.05x: AddtlTxInf of the detail, else AddtlNtryInf of the entry).
alter table causeway.bank_money add column bank_words text;
grant update (bank_words) on causeway.bank_money to causeway_worker;
