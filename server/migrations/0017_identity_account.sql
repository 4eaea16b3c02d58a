-- What members prove themselves with beside the password: recovery codes and passkeys. Recovery codes have 80 random bits
-- and are stored as HMAC under the key of codes, so that a table alone cannot even be tried against a guess.

alter table causeway.code_guard drop constraint code_guard_scenario_check;
alter table causeway.code_guard add constraint code_guard_scenario_check check (scenario in
  ('register', 'login', 'forget', 'update_psd', 'transaction', 'otp_auth', 'recovery'));

create table causeway.recovery_code (
  company_id uuid not null,
  user_id uuid not null,
  code_mac bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (company_id, user_id, code_mac),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.recovery_code');
drop policy operator_reads on causeway.recovery_code;
grant select, insert, delete, update (used_at) on causeway.recovery_code to causeway_app;

create table causeway.passkey (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  -- COSE, as the authenticator gave it.
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  -- Kept in sync between devices by its provider (WebAuthn level 3, section 6.1.3: backup state).
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- Its counter went backwards (section 6.1.1): from then on it is refused.
  suspected_at timestamptz,
  primary key (company_id, id),
  unique (company_id, credential_id),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
create index passkey_of_member on causeway.passkey (company_id, user_id);
call causeway.fence('causeway.passkey');
drop policy operator_reads on causeway.passkey;
grant select, insert, delete, update (name, sign_count, synced, last_used_at, suspected_at) on causeway.passkey to causeway_app;

-- A challenge serves one member, one purpose, one answer. For a sign-in also the one ticket.
create table causeway.passkey_challenge (
  company_id uuid not null,
  challenge_sha256 bytea not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('add', 'login')),
  ticket_id uuid check ((purpose = 'login') = (ticket_id is not null)),
  expires_at timestamptz not null,
  primary key (company_id, challenge_sha256),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
create index passkey_challenge_of_member on causeway.passkey_challenge (company_id, user_id);
call causeway.fence('causeway.passkey_challenge');
drop policy operator_reads on causeway.passkey_challenge;
grant select, insert, delete on causeway.passkey_challenge to causeway_app;

alter table causeway.trusted_browser add column last_used_at timestamptz;
grant update (last_used_at) on causeway.trusted_browser to causeway_app;

-- For "signed in from a device that was not seen before".
create index session_history_of_member on causeway.session (company_id, user_id, id desc);
