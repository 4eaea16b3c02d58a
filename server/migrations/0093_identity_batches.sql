-- Codes that prove the submissions of a batch, and look-ups of the sessions of several requests at once.

call causeway.admit_batches('causeway.code_guard', 'select');
call causeway.admit_batches('causeway.code_guard', 'insert', 'company_id', 'subject', 'scenario');
call causeway.admit_batches('causeway.code_guard', 'update', 'wrong_tries', 'window_ends_at');
call causeway.admit_batches('causeway.verification_code', 'select',
  'company_id', 'id', 'subject', 'scenario', 'code_mac', 'digest', 'expires_at', 'used_at', 'replaced_at');
call causeway.admit_batches('causeway.verification_code', 'insert',
  'company_id', 'id', 'subject', 'scenario', 'method', 'digest', 'expires_at', 'used_at');
call causeway.admit_batches('causeway.verification_code', 'update', 'used_at');
-- Of a credential the authenticator alone; no password.
call causeway.admit_batches('causeway.credential', 'select', 'company_id', 'user_id', 'totp_secret', 'totp_last_step');
call causeway.admit_batches('causeway.credential', 'update', 'totp_secret', 'totp_last_step');
-- Whether a transfer's code goes to an administrator.
call causeway.admit_batches('causeway.company_setting', 'select', 'company_id', 'code_recipient');
call causeway.admit_batches('causeway.member', 'select', 'company_id', 'id', 'role_id', 'disabled_at', 'activated_at');

-- Fails the transaction unless every code that a statement used up was live.
create function causeway.identity_require_live(p_live bigint, p_used bigint) returns void language plpgsql as $$
begin
  if p_live <> p_used then
    raise exception 'of % codes to be used up, % were live', p_used, p_live using errcode = 'assert_failure';
  end if;
end $$;

-- The sessions of these tokens that hold, each with the place of its token; a token may come several times. An active one restarts
-- its idle minutes, at most every 55 seconds. identity_by_session stays for processes of the version before, until all are restarted.
create function causeway.identity_by_sessions(p_tokens_sha256 bytea[], p_active boolean[])
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
        and s.last_active_at > now() - interval '15 minutes' and s.expires_at > now()
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
revoke execute on function causeway.identity_by_sessions from public;
grant execute on function causeway.identity_by_sessions to causeway_app;
grant create on schema causeway to causeway_lookup;
alter function causeway.identity_by_sessions owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
