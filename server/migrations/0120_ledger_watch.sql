-- A balance that is watched: when it falls below a threshold, and when it is back, the posting that moved it announces so, in its own
-- transaction. Postings lock the account, so of any number at once exactly one crosses. The condition is a part of the trigger: a
-- posting that crosses nothing runs no function.
alter table causeway.ledger_account add column watch_below causeway.positive_amount;

-- Sets the threshold of an account, minor units; null: it is not watched. One above the balance is a crossing at once.
create function causeway.ledger_watch(p_account_id uuid, p_below numeric) returns void
language sql security definer set search_path = causeway, pg_temp as $$
  update ledger_account set watch_below = p_below where company_id = company_id() and id = p_account_id;
$$;
revoke execute on function causeway.ledger_watch from public;
grant execute on function causeway.ledger_watch to causeway_app;

-- For every caller, alone or in a batch of several companies, the role causeway_ledger announces, in the companies of the transaction.
create function causeway.ledger_announce_crossing() returns trigger
language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into outbox (company_id, id, name, payload)
  values (new.company_id, uuidv7(), 'ledger.crossed', jsonb_build_object(
    'crossingId', uuidv7(), 'accountId', new.id, 'ownerId', new.owner_id,
    'isBelow', coalesce(new.balance < new.watch_below, false),
    'balanceMinor', new.balance::text, 'watchBelowMinor', new.watch_below::text));
  return null;
end $$;
create trigger crossed after update of balance, watch_below on causeway.ledger_account for each row
  when (coalesce(old.balance < old.watch_below, false) <> coalesce(new.balance < new.watch_below, false))
  execute function causeway.ledger_announce_crossing();

grant insert on causeway.outbox to causeway_ledger;
alter policy batch_insert on causeway.outbox to causeway_batch, causeway_ledger;
grant create on schema causeway to causeway_ledger;
alter function causeway.ledger_announce_crossing owner to causeway_ledger;
revoke create on schema causeway from causeway_ledger;
set local role causeway_ledger;
revoke execute on function causeway.ledger_announce_crossing from public;
set local role causeway_owner;
