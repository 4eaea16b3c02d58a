-- A page ends its session 15 minutes after the last movement (specification, section 9) and reports activity at most once a minute,
-- of which identity_by_sessions keeps one in 55 seconds. What the server knows is up to two minutes older than the movement, so it
-- waits two minutes longer, so that a member who is at work is not signed out.

create function causeway.session_idle_limit() returns interval language sql immutable parallel safe
  return interval '17 minutes';
revoke execute on function causeway.session_idle_limit from public;
grant execute on function causeway.session_idle_limit to causeway_app, causeway_lookup;

grant create on schema causeway to causeway_lookup;
set local role causeway_lookup;

-- As before (0093).
create or replace function causeway.identity_by_sessions(p_tokens_sha256 bytea[], p_active boolean[])
  returns table (place integer, session_id uuid, company_id uuid, user_id uuid, email text, first_name text, last_name text,
    role_id uuid, permissions text[], role_active boolean)
  language plpgsql volatile security definer set search_path = causeway, pg_temp
  -- One plan for any number of tokens.
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_due boolean;
  v_all_due bytea[] := '{}';
begin
  -- `offset 0` keeps each token a look-up of its own, whatever the statistics say.
  for place, session_id, company_id, user_id, email, first_name, last_name, role_id, permissions, role_active, v_due in
    select r.place::integer, f.session_id, f.company_id, f.user_id, f.email, f.first_name, f.last_name, f.role_id, f.permissions, f.role_active,
      r.active and f.last_active_at < now() - interval '55 seconds'
    from unnest(p_tokens_sha256, p_active) with ordinality as r (token_sha256, active, place)
    cross join lateral (
      select s.id as session_id, s.company_id, m.id as user_id, m.email, m.first_name, m.last_name, m.role_id, o.permissions,
        o.active as role_active, s.last_active_at
      from session s join member m on m.company_id = s.company_id and m.id = s.user_id
        left join role o on o.company_id = m.company_id and o.id = m.role_id
      where s.token_sha256 = r.token_sha256 and s.ended_at is null and m.disabled_at is null
        and s.last_active_at > now() - session_idle_limit() and s.expires_at > now()
      offset 0
    ) f
  loop
    if v_due then
      v_all_due := v_all_due || p_tokens_sha256[place];
    end if;
    return next;
  end loop;
  if v_all_due <> '{}' then
    -- A session that another transaction renews or ends at this moment needs nothing, and no other waits for it.
    update session s set last_active_at = now()
    where s.token_sha256 = any (array(
      select d.token_sha256 from session d where d.token_sha256 = any (v_all_due) for no key update skip locked));
  end if;
end $$;

-- As before (0021), for processes of the version before.
create or replace function causeway.identity_by_session(p_token_sha256 bytea, p_active boolean)
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
    and s.last_active_at > now() - session_idle_limit() and s.expires_at > now();
  if not found then
    return;
  end if;
  if v_due then
    update session s set last_active_at = now() where s.token_sha256 = p_token_sha256;
  end if;
  return next;
end $$;

set local role causeway_owner;
revoke create on schema causeway from causeway_lookup;
