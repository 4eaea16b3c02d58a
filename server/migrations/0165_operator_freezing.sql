-- What the operator freezes: a company, a wallet, a member. Freezing narrows and holds at once, by one operator; what unfreezes is an act of
-- two, which the worker carries out. The company sees that it is frozen, since when and why; the note to it is the operator's own.

alter table causeway.company add column frozen_at timestamptz;
-- A frozen member is disabled too, so that all that holds for a disabled member holds for a frozen one; the company cannot enable them.
alter table causeway.member add column frozen_at timestamptz,
  add constraint member_frozen_is_disabled check (frozen_at is null or disabled_at is not null);

create table causeway.frozen_subject (
  company_id uuid not null references causeway.company (company_id),
  id uuid not null,
  subject_kind text not null check (subject_kind in ('company', 'wallet', 'member')),
  subject_id uuid not null,
  reason text not null check (reason in ('asked', 'compromise', 'authority', 'compliance', 'reversal', 'other')),
  -- In each language, where no standard reason says it.
  texts jsonb,
  at timestamptz not null default now(),
  -- Whether the company had disabled the member before: then they stay so.
  was_disabled boolean not null default false,
  ended_at timestamptz,
  -- Its people were informed.
  announced_at timestamptz,
  primary key (company_id, id),
  check ((reason = 'other') = (texts is not null))
);
create unique index freeze_open on causeway.frozen_subject (company_id, subject_kind, subject_id) where ended_at is null;
create index freeze_time on causeway.frozen_subject (company_id, at desc);
call causeway.fence('causeway.frozen_subject');
grant select on causeway.frozen_subject to causeway_app, causeway_worker, causeway_console, causeway_operator;
grant update (ended_at, announced_at) on causeway.frozen_subject to causeway_worker, causeway_operator;

-- Who froze it and the operator's own note. Outside tenancy: the processes of companies have no right to it.
create table causeway.operator_freeze (
  freeze_id uuid primary key,
  company_id uuid not null,
  -- The operator's account, or the user of the command line.
  by_name text not null,
  note text not null,
  foreign key (company_id, freeze_id) references causeway.frozen_subject (company_id, id)
);
grant select on causeway.operator_freeze to causeway_console, causeway_operator;

-- One lock for a company's freezes and for handing its payments over: whatever is handed over after a freeze has committed has seen it.
create function causeway.freeze_lock(p_company_id uuid) returns bigint language sql immutable parallel safe
  return hashtextextended('causeway.freeze:' || p_company_id::text, 0);
revoke execute on function causeway.freeze_lock from public;
grant execute on function causeway.freeze_lock to causeway_worker, causeway_console, causeway_operator;

-- With its owner's rights, and of any company: the operator's processes name it, since no session of a company can call this. It only narrows.
-- The caller's setting of the company is put back. Returns whether anything changed.
create function causeway.freeze_subject(p_id uuid, p_company_id uuid, p_kind text, p_subject_id uuid, p_reason text, p_texts jsonb,
  p_note text, p_by_id text, p_by_name text, p_event_id uuid, p_outbox_ids uuid[])
returns boolean language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_was_disabled boolean := false;
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
begin
  perform set_config('causeway.company_id', p_company_id::text, true);
  perform pg_advisory_xact_lock(freeze_lock(p_company_id));
  if exists (select from frozen_subject where company_id = p_company_id and subject_kind = p_kind and subject_id = p_subject_id and ended_at is null) then
    perform set_config('causeway.company_id', v_caller, true);
    return false;
  end if;
  case p_kind
    when 'company' then
      update company set frozen_at = now() where company_id = p_company_id and company_id = p_subject_id;
    when 'wallet' then
      -- Also over a freeze of the program's own, whose cause may end before this does.
      update wallet set frozen_at = coalesce(frozen_at, now()), frozen_reason = 'operator' where company_id = p_company_id and id = p_subject_id;
    when 'member' then
      select disabled_at is not null into v_was_disabled from member
      where company_id = p_company_id and id = p_subject_id and deleted_at is null for update;
      update member set frozen_at = now(), disabled_at = coalesce(disabled_at, now())
      where company_id = p_company_id and id = p_subject_id and deleted_at is null;
    else
      raise exception 'nothing of kind % can be frozen', p_kind using errcode = 'CW001';
  end case;
  if not found then
    raise exception 'there is no such %', p_kind using errcode = 'P0002';
  end if;
  if p_kind = 'member' then
    -- As identity ends all by which a disabled member gets in.
    update session set ended_at = now() where company_id = p_company_id and user_id = p_subject_id and ended_at is null;
    update sign_in_ticket set used_at = now() where company_id = p_company_id and user_id = p_subject_id and used_at is null;
    delete from trusted_browser where company_id = p_company_id and user_id = p_subject_id;
    delete from known_browser where company_id = p_company_id and user_id = p_subject_id;
    update activation_token set replaced_at = now()
    where company_id = p_company_id and user_id = p_subject_id and used_at is null and replaced_at is null;
    update verification_code set replaced_at = now()
    where company_id = p_company_id and subject = p_subject_id::text and used_at is null and replaced_at is null;
  end if;
  insert into frozen_subject (company_id, id, subject_kind, subject_id, reason, texts, was_disabled)
  values (p_company_id, p_id, p_kind, p_subject_id, p_reason, p_texts, v_was_disabled);
  insert into operator_freeze (freeze_id, company_id, by_name, note) values (p_id, p_company_id, p_by_name, p_note);
  insert into audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id, detail)
  values (p_company_id, p_event_id, 'operator', p_by_id,
    case p_kind when 'company' then 'operator.freezeCompany' when 'wallet' then 'operator.freezeWallet' else 'operator.freezeMember' end,
    p_kind, p_subject_id, jsonb_build_object('cause', p_reason) || coalesce(p_texts, '{}'));
  insert into outbox (company_id, id, name, payload)
  values (p_company_id, p_outbox_ids[1], 'operator.frozen', jsonb_build_object('freezeId', p_id)),
    (p_company_id, p_outbox_ids[2], 'live', jsonb_build_object('topic', 'organisation', 'id', null)),
    (p_company_id, p_outbox_ids[3], 'live', jsonb_build_object('topic', 'balance', 'id', null));
  perform set_config('causeway.company_id', v_caller, true);
  return true;
end $$;
revoke execute on function causeway.freeze_subject from public;
grant execute on function causeway.freeze_subject to causeway_console, causeway_operator;

-- Unfreezing: the worker alone, for an act of two operators; the command line while fewer than two operators exist.
grant update (frozen_at) on causeway.company to causeway_worker, causeway_operator;
grant update (frozen_at, disabled_at) on causeway.member to causeway_worker, causeway_operator;
create policy unfreezes on causeway.company as restrictive for update to causeway_worker, causeway_operator
  using (true) with check (frozen_at is null);
create policy unfreezes on causeway.member as restrictive for update to causeway_worker, causeway_operator
  using (frozen_at is not null) with check (frozen_at is null);
-- An unfrozen member gains what they could do again: they decide on no task that began before.
grant insert on causeway.authority_change to causeway_worker, causeway_operator;

create policy signer_reads on causeway.company for select to causeway_signer using (frozen_at is not null);
grant select (company_id, frozen_at) on causeway.company to causeway_signer;

-- Sessions say whether their company is frozen; payments and changes of a frozen company wait.
grant usage, create on schema causeway to causeway_lookup;
grant select (frozen_at) on causeway.company to causeway_lookup;
set local role causeway_lookup;
drop function causeway.identity_by_sessions;

-- As before (0111), with one column more at the end.
create function causeway.identity_by_sessions(p_tokens_sha256 bytea[], p_active boolean[])
  returns table (place integer, session_id uuid, company_id uuid, user_id uuid, email text, first_name text, last_name text,
    role_id uuid, permissions text[], role_active boolean, company_frozen boolean)
  language plpgsql volatile security definer set search_path = causeway, pg_temp
  -- One plan for any number of tokens.
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_due boolean;
  v_all_due bytea[] := '{}';
begin
  -- `offset 0` keeps each token a look-up of its own, whatever the statistics say.
  for place, session_id, company_id, user_id, email, first_name, last_name, role_id, permissions, role_active, company_frozen, v_due in
    select r.place::integer, f.session_id, f.company_id, f.user_id, f.email, f.first_name, f.last_name, f.role_id, f.permissions, f.role_active, f.company_frozen,
      r.active and f.last_active_at < now() - interval '55 seconds'
    from unnest(p_tokens_sha256, p_active) with ordinality as r (token_sha256, active, place)
    cross join lateral (
      select s.id as session_id, s.company_id, m.id as user_id, m.email, m.first_name, m.last_name, m.role_id, o.permissions,
        o.active as role_active, s.last_active_at,
        exists (select from company c where c.company_id = s.company_id and c.frozen_at is not null) as company_frozen
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

revoke execute on function causeway.identity_by_sessions from public;
grant execute on function causeway.identity_by_sessions to causeway_app;

-- As before (0050).
create or replace function causeway.control_changes_due(p_now timestamptz, p_most integer,
  p_due_at timestamptz default '-infinity', p_company uuid default null, p_id uuid default null)
returns table (company_id uuid, id uuid, due_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id, t.effective_at from approval_task t
  where t.status = 'pending' and t.effective_at between p_due_at and p_now
    and (p_id is null or (t.effective_at, t.company_id, t.id) > (p_due_at, p_company, p_id))
    and not exists (select from company c where c.company_id = t.company_id and c.frozen_at is not null)
  order by t.effective_at, t.company_id, t.id limit p_most;
$$;

-- As before (0090).
create or replace function causeway.payments_unsent(p_chain_id text, p_before timestamptz, p_after_at timestamptz, p_after_id uuid, p_limit integer)
returns table (company_id uuid, id uuid, stage_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id, t.stage_at from transaction t
  where t.chain_id = p_chain_id and t.status = 'pending' and t.stage in ('approved', 'signing') and t.stage_at < p_before
    and (p_after_id is null or (t.stage_at, t.id) > (p_after_at, p_after_id))
    and not exists (select from wallet w where w.company_id = t.company_id and w.id = t.wallet_id and w.frozen_at is not null)
    and not exists (select from company c where c.company_id = t.company_id and c.frozen_at is not null)
  order by t.stage_at, t.id limit p_limit;
$$;

set local role causeway_owner;
revoke create on schema causeway from causeway_lookup;
