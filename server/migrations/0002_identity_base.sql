-- Companies, their members, and everything by which a member proves to be one. Secrets are stored as what cannot be
-- turned back: passwords as argon2id, tokens and invitation codes (256 and 80 random bits) as SHA-256, six-digit codes as HMAC
-- under a key outside the database, authenticator secrets sealed under another.
--
-- The nil UUID stands for "before a company is known": codes for addresses that may belong to nobody.

create table causeway.company (
  company_id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);
call causeway.fence('causeway.company');
grant select, insert on causeway.company to causeway_app;
grant select on causeway.company to causeway_worker, causeway_operator;

create table causeway.member (
  company_id uuid not null references causeway.company (company_id),
  id uuid not null,
  -- What people quote to support: CW-XXXX-XXXX-XXXX.
  identifier text not null,
  -- As typed; the directory holds it in lower case.
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  language text not null check (language in ('en_US', 'zh_HK', 'zh_CN')),
  -- A system role; roles of the company's own come with organisation.
  role text not null check (role in ('administrator', 'finance', 'approver', 'viewer')),
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  disabled_at timestamptz,
  primary key (company_id, id),
  unique (company_id, identifier)
);
call causeway.fence('causeway.member');
grant select, insert, update (language, first_name, last_name, last_login_at, disabled_at, role) on causeway.member to causeway_app;
grant select on causeway.member to causeway_worker, causeway_operator;

-- Kept apart from the member, so that a role that may read members has no sight of this.
create table causeway.credential (
  company_id uuid not null,
  user_id uuid not null,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  -- RFC 6238; null until the authenticator is bound.
  totp_secret bytea,
  totp_bound_at timestamptz,
  -- The last time step that was accepted; a step counts once.
  totp_last_step bigint not null default 0,
  -- Shown to be bound, not yet proved.
  pending_secret bytea,
  pending_since timestamptz,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.credential');
drop policy operator_reads on causeway.credential;
grant select, insert, update on causeway.credential to causeway_app;

-- Which member an address belongs to, across companies. Nobody may read or write it but by the functions below.
create table causeway.email_directory (
  email text primary key check (email = lower(email)),
  company_id uuid not null,
  user_id uuid not null
);
alter table causeway.email_directory enable row level security;
alter table causeway.email_directory force row level security;

create table causeway.session (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  -- However active: no session outlives this (NIST SP 800-63B-4, section 2.2.3: a day).
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip text not null,
  user_agent text not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
create index session_of_member on causeway.session (company_id, user_id) where ended_at is null;
call causeway.fence('causeway.session');
grant select, insert, update (ended_at) on causeway.session to causeway_app;

-- The first step of a sign-in is done: the password was right, the code is still to come.
create table causeway.sign_in_ticket (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
create index sign_in_ticket_of_member on causeway.sign_in_ticket (company_id, user_id) where used_at is null;
call causeway.fence('causeway.sign_in_ticket');
grant select, insert, update (used_at) on causeway.sign_in_ticket to causeway_app;

-- A browser that holds this token may skip the code at sign-in (laissezPasser).
create table causeway.trusted_browser (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, user_id, token_sha256),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.trusted_browser');
grant select, insert, delete on causeway.trusted_browser to causeway_app;

-- How often somebody guessed wrong. One row a subject (a member's id, or the keyed hash of an address) and scenario,
-- outliving the codes, so that asking for another does not buy more guesses. Its lock makes guesses go one by one.
create table causeway.code_guard (
  company_id uuid not null,
  subject text not null,
  scenario text not null check (scenario in ('register', 'login', 'forget', 'update_psd', 'transaction', 'otp_auth')),
  wrong_tries integer not null default 0,
  window_ends_at timestamptz not null default now(),
  primary key (company_id, subject, scenario)
);
create table causeway.verification_code (
  company_id uuid not null,
  id uuid not null,
  subject text not null,
  scenario text not null check (scenario in ('register', 'login', 'forget', 'update_psd', 'transaction')),
  method text not null check (method in ('email', 'otp_auth')),
  -- Null for an authenticator's code, which is recorded when it is used.
  code_mac bytea,
  -- What it confirms; '' when the scenario says it all.
  digest text not null default '',
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Another was asked for.
  replaced_at timestamptz,
  primary key (company_id, id)
);
create index verification_code_live on causeway.verification_code (company_id, subject, scenario, issued_at desc)
  where used_at is null and replaced_at is null;
call causeway.fence('causeway.code_guard');
call causeway.fence('causeway.verification_code');
-- Registration and a forgotten password use up a code of "before a company" in the company's own transaction.
create policy before_company on causeway.code_guard to causeway_app
  using (company_id = '00000000-0000-0000-0000-000000000000') with check (company_id = '00000000-0000-0000-0000-000000000000');
create policy before_company on causeway.verification_code to causeway_app
  using (company_id = '00000000-0000-0000-0000-000000000000') with check (company_id = '00000000-0000-0000-0000-000000000000');
grant select, insert, update on causeway.code_guard, causeway.verification_code to causeway_app;

-- Invitations are the platform's, not a company's. The operator makes and revokes them; the application only redeems.
create table causeway.invitation (
  id uuid primary key,
  code_sha256 bytea not null unique,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by_company_id uuid,
  revoked_at timestamptz
);
alter table causeway.invitation enable row level security;
alter table causeway.invitation force row level security;
create policy operator on causeway.invitation to causeway_operator using (true) with check (true);
grant select, insert, update (revoked_at) on causeway.invitation to causeway_operator;

-- The look-ups that come before a company is known.
grant usage on schema causeway to causeway_lookup;
create policy lookup on causeway.email_directory to causeway_lookup using (true) with check (true);
create policy lookup on causeway.session to causeway_lookup using (true) with check (true);
create policy lookup on causeway.member for select to causeway_lookup using (true);
create policy lookup on causeway.sign_in_ticket for select to causeway_lookup using (true);
create policy lookup on causeway.invitation to causeway_lookup using (true) with check (true);
grant select, insert on causeway.email_directory to causeway_lookup;
grant select, update (last_active_at) on causeway.session to causeway_lookup;
grant select (company_id, id, email, first_name, last_name, role, disabled_at) on causeway.member to causeway_lookup;
grant select on causeway.sign_in_ticket to causeway_lookup;
grant select, update (used_at, used_by_company_id) on causeway.invitation to causeway_lookup;

create function causeway.identity_by_email(p_email text) returns table (company_id uuid, user_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select d.company_id, d.user_id from email_directory d where d.email = lower(p_email);
$$;

-- Takes an address for a member of the transaction's company; false when somebody has it already.
create function causeway.identity_claim_email(p_email text, p_user_id uuid) returns boolean
  language sql volatile security definer set search_path = causeway, pg_temp as $$
  with claimed as (
    insert into email_directory (email, company_id, user_id) values (lower(p_email), causeway.company_id(), p_user_id)
    on conflict do nothing returning 1
  )
  select exists (select from claimed);
$$;

-- The session of a token, if it holds: not ended, active within 15 minutes (specification, section 9), the member not
-- disabled. Activity is written at most once in 55 seconds: pages report once a minute, and a report must not be missed
-- for having come a moment early.
create function causeway.identity_by_session(p_token_sha256 bytea, p_active boolean)
  returns table (session_id uuid, company_id uuid, user_id uuid, email text, first_name text, last_name text, role text)
  language plpgsql volatile security definer set search_path = causeway, pg_temp as $$
#variable_conflict use_column
declare
  v_due boolean;
begin
  select s.id, s.company_id, m.id, m.email, m.first_name, m.last_name, m.role,
    p_active and s.last_active_at < now() - interval '55 seconds'
  into session_id, company_id, user_id, email, first_name, last_name, role, v_due
  from session s join member m on m.company_id = s.company_id and m.id = s.user_id
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

create function causeway.identity_by_ticket(p_token_sha256 bytea) returns table (company_id uuid, user_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.user_id from sign_in_ticket t where t.token_sha256 = p_token_sha256;
$$;

-- Uses up an invitation for the transaction's company; false when it does not hold, or somebody was quicker.
create function causeway.identity_redeem_invitation(p_code_sha256 bytea) returns boolean
  language sql volatile security definer set search_path = causeway, pg_temp as $$
  with redeemed as (
    update invitation i set used_at = now(), used_by_company_id = causeway.company_id()
    where i.code_sha256 = p_code_sha256 and i.used_at is null and i.revoked_at is null and i.expires_at > now()
    returning 1
  )
  select exists (select from redeemed);
$$;

revoke execute on function causeway.identity_by_email, causeway.identity_claim_email, causeway.identity_by_session,
  causeway.identity_by_ticket, causeway.identity_redeem_invitation from public;
grant execute on function causeway.identity_by_email to causeway_app, causeway_worker;
grant execute on function causeway.identity_claim_email, causeway.identity_by_session, causeway.identity_by_ticket,
  causeway.identity_redeem_invitation to causeway_app;

-- Handing a function over needs the right to create in the schema; the look-up role keeps it no longer than that.
grant create on schema causeway to causeway_lookup;
alter function causeway.identity_by_email owner to causeway_lookup;
alter function causeway.identity_claim_email owner to causeway_lookup;
alter function causeway.identity_by_session owner to causeway_lookup;
alter function causeway.identity_by_ticket owner to causeway_lookup;
alter function causeway.identity_redeem_invitation owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;

-- Buckets that are never met again are swept by the end of their window.
create index throttle_window on causeway.throttle (window_ends_at);
