-- The people of the operator, and how they sign in. Outside tenancy: the processes of companies have no right to these tables. The
-- command line makes accounts and links, and reads no secret.

create table causeway.operator_account (
  id uuid primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('viewer', 'support', 'treasury', 'compliance', 'administrator')),
  state text not null check (state in ('invited', 'active', 'disabled')),
  language text not null check (language in ('en_US', 'zh_HK', 'zh_CN')),
  password_hash text,
  -- Sealed (AES-256-GCM) for its own account; the last time step whose code was used.
  totp_secret bytea,
  totp_last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Null until the link of the invitation, or of the last reset, was used.
  activated_at timestamptz,
  last_sign_in_at timestamptz,
  constraint operator_account_credentials check (
    state <> 'active' or (activated_at is not null and password_hash is not null and totp_secret is not null))
);
create unique index operator_account_email on causeway.operator_account (lower(email));
grant select, insert, update on causeway.operator_account to causeway_console;
grant select (id, email, name, role, state, language, created_at, activated_at, last_sign_in_at),
  insert (id, email, name, role, state, language), update (state, activated_at)
  on causeway.operator_account to causeway_operator;

create table causeway.operator_activation (
  id uuid primary key,
  operator_id uuid not null references causeway.operator_account (id),
  purpose text not null check (purpose in ('invitation', 'reset')),
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create index operator_activation_operator on causeway.operator_activation (operator_id);
grant select, insert, update on causeway.operator_activation to causeway_console;
grant select (id, operator_id, purpose, created_at, expires_at, used_at, replaced_at),
  insert (id, operator_id, purpose, token_sha256, expires_at), update (replaced_at)
  on causeway.operator_activation to causeway_operator;

create table causeway.operator_passkey (
  id uuid primary key,
  operator_id uuid not null references causeway.operator_account (id),
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  suspected_at timestamptz
);
create index operator_passkey_operator on causeway.operator_passkey (operator_id);
grant select, insert, update, delete on causeway.operator_passkey to causeway_console;
-- A reset removes them.
grant select (id, operator_id), delete on causeway.operator_passkey to causeway_operator;

-- Between the two steps of a sign-in.
create table causeway.operator_ticket (
  id uuid primary key,
  operator_id uuid not null references causeway.operator_account (id),
  token_sha256 bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index operator_ticket_operator on causeway.operator_ticket (operator_id);
grant select, insert, update, delete on causeway.operator_ticket to causeway_console;
grant select (id, operator_id, used_at), update (used_at) on causeway.operator_ticket to causeway_operator;

create table causeway.operator_challenge (
  challenge_sha256 bytea primary key,
  operator_id uuid not null references causeway.operator_account (id),
  purpose text not null check (purpose in ('add', 'login')),
  ticket_id uuid,
  expires_at timestamptz not null,
  check ((purpose = 'login') = (ticket_id is not null))
);
grant select, insert, delete on causeway.operator_challenge to causeway_console;

create table causeway.operator_session (
  id uuid primary key,
  operator_id uuid not null references causeway.operator_account (id),
  token_sha256 bytea not null unique,
  factor text not null check (factor in ('authenticator', 'passkey')),
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_session_operator on causeway.operator_session (operator_id);
grant select, insert, update, delete on causeway.operator_session to causeway_console;
grant select (id, operator_id, ended_at), update (ended_at) on causeway.operator_session to causeway_operator;

-- Browsers in which an operator has signed in: another one is news to them.
create table causeway.operator_device (
  operator_id uuid not null references causeway.operator_account (id),
  device text not null,
  first_seen_at timestamptz not null default now(),
  primary key (operator_id, device)
);
grant select, insert on causeway.operator_device to causeway_console;
