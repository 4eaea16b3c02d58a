-- One-time links by which a member sets a password: after an invitation, or after an administrator's reset.
create table causeway.activation_token (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('activation', 'reset')),
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Another was sent, or the member was disabled.
  replaced_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
create index activation_token_live on causeway.activation_token (company_id, user_id)
  where used_at is null and replaced_at is null;
call causeway.fence('causeway.activation_token');
drop policy operator_reads on causeway.activation_token;
create policy lookup on causeway.activation_token for select to causeway_lookup using (true);
grant select, insert, update (used_at, replaced_at) on causeway.activation_token to causeway_app;
grant select (company_id, user_id, token_sha256) on causeway.activation_token to causeway_lookup;

create policy lookup on causeway.role for select to causeway_lookup using (true);
grant select (company_id, id, permissions, active) on causeway.role to causeway_lookup;
grant delete, update (email) on causeway.email_directory to causeway_lookup;
create policy lookup_renames on causeway.member for update to causeway_lookup
  using (company_id = (select causeway.company_id()) and activated_at is null)
  with check (company_id = (select causeway.company_id()) and activated_at is null);
grant update (email), select (activated_at) on causeway.member to causeway_lookup;

create function causeway.identity_by_activation(p_token_sha256 bytea) returns table (company_id uuid, user_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.user_id from activation_token t where t.token_sha256 = p_token_sha256;
$$;

-- Another address for a member who has not set a password yet; false when somebody has it. Later the address is fixed: whoever
-- could change it could take the account over, and with it a second approver's say.
create function causeway.identity_change_email(p_user_id uuid, p_email text) returns boolean
  language plpgsql volatile security definer set search_path = causeway, pg_temp as $$
begin
  update member m set email = p_email
  where m.company_id = causeway.company_id() and m.id = p_user_id and m.activated_at is null;
  if not found then
    raise exception 'the address of member % is fixed', p_user_id using errcode = 'CW002';
  end if;
  update email_directory d set email = lower(p_email)
  where d.company_id = causeway.company_id() and d.user_id = p_user_id;
  return found;
exception when unique_violation then
  return false;
end $$;

-- Gives a member's address back: somebody else may have it.
create function causeway.identity_release_email(p_user_id uuid) returns void
  language sql volatile security definer set search_path = causeway, pg_temp as $$
  delete from email_directory d where d.company_id = causeway.company_id() and d.user_id = p_user_id;
$$;

-- As before (0002), and with the role as it is now: what it allows is asked on every request. `permissions` and
-- `role_active` are null for a system role, which the program knows.
drop function causeway.identity_by_session(bytea, boolean);
create function causeway.identity_by_session(p_token_sha256 bytea, p_active boolean)
  returns table (session_id uuid, company_id uuid, user_id uuid, email text, first_name text, last_name text,
    role_id uuid, permissions text[], role_active boolean)
  language plpgsql volatile security definer set search_path = causeway, pg_temp as $$
#variable_conflict use_column
declare
  v_due boolean;
begin
  select s.id, s.company_id, m.id, m.email, m.first_name, m.last_name, m.role_id, r.permissions, r.active,
    p_active and s.last_active_at < now() - interval '55 seconds'
  into session_id, company_id, user_id, email, first_name, last_name, role_id, permissions, role_active, v_due
  from session s join member m on m.company_id = s.company_id and m.id = s.user_id
    left join role r on r.company_id = m.company_id and r.id = m.role_id
  where s.token_sha256 = p_token_sha256 and s.ended_at is null and m.disabled_at is null
    and s.last_active_at > now() - interval '15 minutes' and s.expires_at > now();
  if not found then
    return;
  end if;
  if v_due then
    update session s set last_active_at = now() where s.token_sha256 = p_token_sha256;
  end if;
  return next;
end $$;

revoke execute on function causeway.identity_by_activation, causeway.identity_change_email, causeway.identity_release_email,
  causeway.identity_by_session from public;
grant execute on function causeway.identity_by_activation, causeway.identity_change_email, causeway.identity_release_email,
  causeway.identity_by_session to causeway_app;

grant create on schema causeway to causeway_lookup;
alter function causeway.identity_by_activation owner to causeway_lookup;
alter function causeway.identity_change_email owner to causeway_lookup;
alter function causeway.identity_release_email owner to causeway_lookup;
alter function causeway.identity_by_session owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
