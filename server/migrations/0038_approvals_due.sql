-- Tasks whose time has come, page by page: the ones before a place are not asked for again in the same round, so tasks that fail
-- however often keep no others from their turn.
drop function causeway.approvals_due(timestamptz);
grant usage, create on schema causeway to causeway_lookup;
create function causeway.approvals_due(p_now timestamptz, p_most integer,
  p_due_at timestamptz default '-infinity', p_company uuid default null, p_id uuid default null)
returns table (company_id uuid, id uuid, due_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id, least(t.expires_at, t.remind_at) from approval_task t
  where t.status = 'pending' and least(t.expires_at, t.remind_at) between p_due_at and p_now
    and (p_id is null or (least(t.expires_at, t.remind_at), t.company_id, t.id) > (p_due_at, p_company, p_id))
  order by least(t.expires_at, t.remind_at), t.company_id, t.id limit p_most;
$$;
alter function causeway.approvals_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.approvals_due from public;
grant execute on function causeway.approvals_due to causeway_worker;
