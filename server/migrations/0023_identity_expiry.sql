-- What has expired goes. The worker may remove such rows of every company, and sees nothing of them but that they have
-- expired: the policies say which, whatever its statement says. A proof that confirmed a transaction is kept: it belongs
-- to the transaction's record.

-- Restrictive, too, since the fence would let the worker, inside a company, see and remove rows that still hold.
create procedure causeway.let_expire(target regclass, expired text) language plpgsql as $$
begin
  execute format('create policy expiry_seen on %s for select to causeway_worker using (%s)', target, expired);
  execute format('create policy expiry on %s for delete to causeway_worker using (%s)', target, expired);
  execute format('create policy expired_alone on %s as restrictive to causeway_worker using (%s)', target, expired);
  execute format('grant delete on %s to causeway_worker', target);
end $$;

call causeway.let_expire('causeway.session', $$expires_at < now() - interval '1 day'$$);
call causeway.let_expire('causeway.sign_in_ticket', $$expires_at < now() - interval '1 day'$$);
call causeway.let_expire('causeway.trusted_browser', $$expires_at < now() - interval '1 day'$$);
call causeway.let_expire('causeway.verification_code',
  $$expires_at < now() - interval '1 day' and (used_at is null or scenario <> 'transaction')$$);
call causeway.let_expire('causeway.code_guard', $$window_ends_at < now() - interval '1 day'$$);
grant select (company_id, id, expires_at) on causeway.session, causeway.sign_in_ticket, causeway.trusted_browser to causeway_worker;
grant select (company_id, id, scenario, used_at, expires_at) on causeway.verification_code to causeway_worker;
grant select (company_id, subject, scenario, window_ends_at) on causeway.code_guard to causeway_worker;

-- Rows come in the order of time: a block range tells whether it holds anything old, and costs a sign-in next to nothing.
create index session_expiry on causeway.session using brin (expires_at) with (autosummarize = on);
create index sign_in_ticket_expiry on causeway.sign_in_ticket using brin (expires_at) with (autosummarize = on);
create index trusted_browser_expiry on causeway.trusted_browser using brin (expires_at) with (autosummarize = on);
create index verification_code_expiry on causeway.verification_code using brin (expires_at) with (autosummarize = on);
