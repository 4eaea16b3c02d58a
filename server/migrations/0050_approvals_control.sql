-- Changes of the controls that wait for a second person or for their time, and transfers whose initiator has left.
alter table causeway.approval_setting
  -- When review was switched on for the first time: from then on a change that widens a control waits where no one can consent.
  add column reviewed_since timestamptz;

alter table causeway.approval_task
  -- When a change of the controls takes effect unless it is stopped; null: by consent alone.
  add column effective_at timestamptz,
  -- The person who stopped or ended it.
  add column ended_by_name text,
  -- The administrator who answers for it since its initiator is no longer active.
  add column adopted_by uuid,
  add column adopted_by_name text,
  add check ((adopted_by is null) = (adopted_by_name is null));
alter table causeway.approval_decision
  -- When the task's initiator had given the approver the right to decide, if that was within 30 days before.
  add column granted_at timestamptz;
create index approval_task_effective on causeway.approval_task (effective_at) where status = 'pending' and effective_at is not null;
grant update (ended_by_name) on causeway.approval_task to causeway_app, causeway_worker;
grant update (effective_at, adopted_by, adopted_by_name) on causeway.approval_task to causeway_app;

-- Changes of all companies whose time has come. Returns ids alone; the HTTP process applies them, since it alone may change controls.
grant usage, create on schema causeway to causeway_lookup;
grant select (effective_at) on causeway.approval_task to causeway_lookup;
create function causeway.control_changes_due(p_now timestamptz, p_most integer,
  p_due_at timestamptz default '-infinity', p_company uuid default null, p_id uuid default null)
returns table (company_id uuid, id uuid, due_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id, t.effective_at from approval_task t
  where t.status = 'pending' and t.effective_at between p_due_at and p_now
    and (p_id is null or (t.effective_at, t.company_id, t.id) > (p_due_at, p_company, p_id))
  order by t.effective_at, t.company_id, t.id limit p_most;
$$;
alter function causeway.control_changes_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.control_changes_due from public;
grant execute on function causeway.control_changes_due to causeway_app;
