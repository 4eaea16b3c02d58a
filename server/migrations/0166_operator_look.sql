-- An operator sees a company's data as its administrator does, read-only. A look is a session of its own: it belongs to the operator's
-- session, opens one company for half an hour, and reads with a role that the company's fence holds and that writes nothing.

create table causeway.operator_look_session (
  id uuid primary key,
  operator_session_id uuid not null references causeway.operator_session (id) on delete cascade,
  operator_id uuid not null references causeway.operator_account (id),
  company_id uuid not null references causeway.company (company_id),
  token_sha256 bytea not null unique,
  reason text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_look_session_hour on causeway.operator_look_session (operator_id, company_id, created_at);
grant select, insert (id, operator_session_id, operator_id, company_id, token_sha256, reason, expires_at), update (ended_at)
  on causeway.operator_look_session to causeway_console;

-- With its owner's rights: the company reads in its own log that an operator looked, once for each operator and hour. Only for a look
-- that has begun and whose company is named there; the caller's setting of the company is put back. Returns whether it wrote an entry.
create function causeway.note_look(p_look_id uuid, p_event_id uuid) returns boolean
language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_look operator_look_session;
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
begin
  select * into v_look from operator_look_session where id = p_look_id and ended_at is null;
  if not found then
    raise exception 'there is no such look' using errcode = 'P0002';
  end if;
  if exists (select from operator_look_session
    where operator_id = v_look.operator_id and company_id = v_look.company_id and id <> v_look.id
      and date_trunc('hour', created_at) = date_trunc('hour', v_look.created_at)) then
    return false;
  end if;
  perform set_config('causeway.company_id', v_look.company_id::text, true);
  insert into audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id, detail)
  values (v_look.company_id, p_event_id, 'operator', v_look.operator_id, 'operator.lookAs', 'company', v_look.company_id, '{}');
  perform set_config('causeway.company_id', v_caller, true);
  return true;
end $$;
revoke execute on function causeway.note_look from public;
grant execute on function causeway.note_look to causeway_console;

-- What a look reads with: of the tables of companies what their own process reads, but for what proves a member, and nothing of the
-- operator's. It has no policy that lets it see more, so the company's fence is all that it sees by. A procedure, since the migration program
-- calls it after every migration: a table that comes later is admitted with it, and the test of looks shows which are not.
grant usage on schema causeway to causeway_look;
create procedure causeway.admit_looks() language plpgsql as $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p', 'v') and has_table_privilege('causeway_app', c.oid, 'select')
      and not has_table_privilege('causeway_look', c.oid, 'select')
      and c.relname not like 'operator\_%'
      and c.relname not in ('credential', 'session', 'sign_in_ticket', 'trusted_browser', 'known_browser', 'passkey', 'passkey_challenge',
        'recovery_code', 'verification_code', 'code_guard', 'activation_token', 'idempotency', 'outbox', 'throttle', 'invitation',
        'email_directory')
  loop
    execute format('grant select on %s to causeway_look', v_table);
  end loop;
end $$;
revoke execute on procedure causeway.admit_looks from public;
call causeway.admit_looks();
-- Until when the link of an invited member holds, without the link.
grant select (company_id, user_id, expires_at, used_at, replaced_at) on causeway.activation_token to causeway_look;
-- Payments of the operator's own stand at a company's address, and are none of its money.
create policy look_own on causeway.transaction as restrictive for select to causeway_look using (type <> 'fee_withdraw');
-- Both search within the transaction's company.
grant execute on function causeway.transaction_search, causeway.transaction_search_count, causeway.transaction_addresses_like,
  causeway.transaction_addresses_ending to causeway_look;
