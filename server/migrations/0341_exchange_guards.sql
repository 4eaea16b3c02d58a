-- What an exchange looks at as it is submitted and executed: the position's room, the middle prices, restore mode, and the operator's freezes and
-- switches, which it holds back as handing a payment over does (0165, 0280).

grant execute on function causeway.freeze_lock, causeway.switch_lock to causeway_app, causeway_batch;
grant select on causeway.restore_mode to causeway_batch;

-- The sweep of unused quotes locks them before it removes them, for which PostgreSQL asks for the right to update a column; none is written.
grant update (used_at) on causeway.exchange_quote to causeway_worker;
create policy worker_writes_none on causeway.exchange_quote as restrictive for update to causeway_worker using (true) with check (false);

-- A member's quotes that are open, of which there are only so many.
create index exchange_quote_open on causeway.exchange_quote (company_id, member_id, created_at) where used_by is null;

-- Fails the transaction, so that it begins anew, where more than was owed has been repaid: what is owed was read before the accounts were locked.
create function causeway.exchange_require_owed(p_companies uuid[], p_accounts uuid[]) returns void language plpgsql as $$
begin
  if exists (
    select from unnest(p_companies, p_accounts) as a (company_id, id)
    join ledger_account l on l.company_id = a.company_id and l.id = a.id and l.kind = 'deficit'
    where l.balance > 0)
  then
    raise exception 'a shortfall was made good by another transaction' using errcode = 'serialization_failure';
  end if;
end $$;
