-- A leg is a side of an executed exchange, of the settlement's wallet, with the amount that was executed: whatever a process of ours writes.
create function causeway.check_settlement_leg() returns trigger language plpgsql
  set search_path = causeway, pg_temp as $$
begin
  if not exists (select from exchange e join settlement s on s.company_id = e.company_id and s.id = new.settlement_id
      where e.company_id = new.company_id and e.transaction_id = new.exchange_id and e.executed_at is not null
        and s.wallet_id = case new.side when 'sold' then e.sell_wallet_id else e.buy_wallet_id end
        and new.amount = case new.side when 'sold' then e.executed_sold else e.executed_bought end) then
    raise exception 'side % of exchange % is no leg of settlement %: another wallet or amount, or not executed', new.side, new.exchange_id,
      new.settlement_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger is_of_exchange before insert on causeway.settlement_leg for each row execute function causeway.check_settlement_leg();

-- The signer reads what an exchange moved in the accounts `fx`, and neither balances nor descriptions.
revoke select on causeway.ledger_account, causeway.ledger_posting, causeway.ledger_entry from causeway_signer;
grant select (company_id, id, owner_id, kind) on causeway.ledger_account to causeway_signer;
grant select (company_id, id, source_id) on causeway.ledger_posting to causeway_signer;
grant select (company_id, posting_id, account_id, amount) on causeway.ledger_entry to causeway_signer;
