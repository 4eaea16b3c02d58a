-- The database role of the operator's console (operator-main). It reads across companies what the command line's role reads, without
-- the hashes of invitation codes and without the outbox. Of what is there already it writes audit entries and outbox rows, both under
-- the nil company alone and of its own kinds: what is to change a company's rows is a function of the owner.

grant usage on schema causeway to causeway_console;
grant usage on schema causeway_migration to causeway_console;
grant select on causeway_migration.done to causeway_console;
grant execute on function causeway.session_idle_limit to causeway_console;

create or replace procedure causeway.fence(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy company on %s using (company_id = (select causeway.company_id())) with check (company_id = (select causeway.company_id()))',
    target);
  execute format('create policy operator_reads on %s for select to causeway_operator, causeway_console using (true)', target);
end $$;

do $$
declare
  v_table regclass;
begin
  for v_table in
    select polrelid::regclass from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'causeway'::regnamespace and p.polname = 'operator_reads'
  loop
    execute format('alter policy operator_reads on %s to causeway_operator, causeway_console', v_table);
  end loop;
  for v_table in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in ('outbox', 'invitation') and has_table_privilege('causeway_operator', c.oid, 'select')
  loop
    execute format('grant select on %s to causeway_console', v_table);
  end loop;
end $$;

create policy console_reads on causeway.invitation for select to causeway_console using (true);
grant select (id, label, created_at, expires_at, used_at, used_by_company_id, revoked_at) on causeway.invitation to causeway_console;

-- The fence of a company holds for every role that sets one, so these are restrictive.
create policy console_writes on causeway.audit_event as restrictive for insert to causeway_console
  with check (company_id = '00000000-0000-0000-0000-000000000000' and actor_kind in ('operator', 'system'));
create policy console_writes on causeway.audit_unsealed as restrictive for insert to causeway_console
  with check (company_id = '00000000-0000-0000-0000-000000000000');
create policy console_writes on causeway.outbox as restrictive for insert to causeway_console
  with check (company_id = '00000000-0000-0000-0000-000000000000' and name in ('operator.mail', 'audit.checkpointDue'));
grant insert on causeway.audit_event, causeway.audit_unsealed, causeway.outbox to causeway_console;

-- The counters against guessing: those of the operator's sign-in, and no others.
alter table causeway.throttle enable row level security;
create policy companies on causeway.throttle to causeway_app
  using (left(bucket, 9) <> 'operator:') with check (left(bucket, 9) <> 'operator:');
create policy sweep on causeway.throttle to causeway_worker using (true) with check (true);
create policy console on causeway.throttle to causeway_console
  using (left(bucket, 9) = 'operator:') with check (left(bucket, 9) = 'operator:');
grant select, insert, update, delete on causeway.throttle to causeway_console;
