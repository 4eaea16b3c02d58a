-- A payee can wait for a second person's approval (docs/adr/0064-…). What was one word is three facts now, each changed by its own
-- cause alone: deleted by a member, on the black list, not approved. The word is computed, so that no reader can take a payee that
-- waits for a usable one.
alter table causeway.crypto_payee
  add column approval text not null default 'none' check (approval in ('none', 'waiting', 'approved', 'rejected')),
  -- Its address is on the company's black list.
  add column blocked boolean not null default false;

-- The owner has to see every company's rows for a moment.
alter table causeway.crypto_payee no force row level security;
update causeway.crypto_payee set blocked = true where status = 'unusable';
update causeway.crypto_payee set deleted_at = coalesce(deleted_at, now()) where status = 'deleted';
alter table causeway.crypto_payee force row level security;

-- With its index.
alter table causeway.crypto_payee drop column status;
alter table causeway.crypto_payee add column status text not null generated always as (
  case
    when deleted_at is not null then 'deleted'
    when approval in ('waiting', 'rejected') then approval
    when blocked then 'unusable'
    else 'usable'
  end
) stored;
-- An address that was rejected can be applied for again.
create unique index crypto_payee_address on causeway.crypto_payee (company_id, chain_id, coin, address)
  where deleted_at is null and approval <> 'rejected';
grant update (approval, blocked) on causeway.crypto_payee to causeway_app;

-- Applications expire in the worker, which can reject a payee and never approve one.
grant update (approval) on causeway.crypto_payee to causeway_worker;
create policy worker_rejects on causeway.crypto_payee as restrictive for update to causeway_worker
  using (approval = 'waiting') with check (approval = 'rejected');

-- A decision is for good: a payee that could be sent to never waits again, so a transfer that was accepted needs no further look.
create function causeway.keep_payee_approval() returns trigger language plpgsql as $$
begin
  raise exception 'the approval of payee % has ended as %', old.id, old.approval;
end $$;
create trigger keep_approval before update of approval on causeway.crypto_payee for each row
  when (old.approval <> 'waiting' and new.approval <> old.approval) execute function causeway.keep_payee_approval();
