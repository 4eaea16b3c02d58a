-- What a set of new transactions costs. The statement that writes them computes the amount in whole coins, which is null, and so
-- refused, for a coin that is not known; rows that are written without it get it as before.
drop trigger amount_whole on causeway.transaction;
create trigger amount_whole before insert on causeway.transaction
  for each row when (new.amount_whole is null) execute function causeway.transaction_amount();

-- NOT ENFORCED: kept by the statements that write these rows, which take coin and base currency from the assets that they join, and
-- write a stage beside its transaction or behind its lock. Nothing deletes an asset or a transaction.
alter table causeway.transaction
  alter constraint transaction_coin_fkey not enforced,
  alter constraint transaction_base_currency_fkey not enforced;
alter table causeway.transaction_stage
  alter constraint transaction_stage_company_id_transaction_id_fkey not enforced;
