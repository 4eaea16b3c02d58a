-- Risk control: policies and the order in which they are asked, white and black list, what the windows hold, and a record of
-- every judgement. Days are the company's own (decisions, "Approvals and risk"); values are cents of a US dollar.

-- No row: the company sends to anybody.
create table causeway.risk_setting (
  company_id uuid primary key,
  only_whitelisted boolean not null,
  updated_at timestamptz not null default now(),
  updated_by uuid not null,
  updated_by_name text not null
);
call causeway.fence('causeway.risk_setting');
grant select, insert, update on causeway.risk_setting to causeway_app;
grant select on causeway.risk_setting to causeway_worker, causeway_operator;

create table causeway.risk_policy (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  business text not null check (business in ('crypto_withdrawal', 'payment')),
  dimension text not null,
  -- What it says now, as the contract's `policyDefinition`; earlier ones stand in risk_policy_version.
  definition jsonb not null,
  active boolean not null,
  version integer not null default 1,
  intercept_count bigint not null default 0,
  created_at timestamptz not null default now(),
  created_by_name text not null,
  updated_at timestamptz not null default now(),
  updated_by_name text not null,
  deleted_at timestamptz,
  primary key (company_id, id)
);
call causeway.fence('causeway.risk_policy');
grant select, insert, update on causeway.risk_policy to causeway_app;
grant select, update (intercept_count) on causeway.risk_policy to causeway_worker;
grant select on causeway.risk_policy to causeway_operator;

create table causeway.risk_policy_version (
  company_id uuid not null,
  policy_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz not null default now(),
  created_by_name text not null,
  primary key (company_id, policy_id, version),
  foreign key (company_id, policy_id) references causeway.risk_policy (company_id, id)
);
call causeway.fence('causeway.risk_policy_version');
grant select, insert on causeway.risk_policy_version to causeway_app;
grant select on causeway.risk_policy_version to causeway_worker, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.risk_policy_version
  for each statement execute function causeway.refuse_change();

-- The policies of a company as a whole, in their order: each change makes a new one, so that a past judgement is explained
-- by what stood then. The highest version is in force.
create table causeway.risk_ruleset (
  company_id uuid not null,
  version bigint not null,
  policy_ids uuid[] not null,
  policy_versions integer[] not null,
  active boolean[] not null,
  created_at timestamptz not null default now(),
  primary key (company_id, version),
  check (cardinality(policy_ids) = cardinality(policy_versions) and cardinality(policy_ids) = cardinality(active))
);
call causeway.fence('causeway.risk_ruleset');
grant select, insert on causeway.risk_ruleset to causeway_app;
grant select on causeway.risk_ruleset to causeway_worker, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.risk_ruleset
  for each statement execute function causeway.refuse_change();

create table causeway.risk_list_entry (
  company_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('white', 'black')),
  payee_type text not null check (payee_type in ('bank_no', 'crypto_address')),
  -- As its own rule writes it (EIP-55; capitals without blanks), and the key by which variants are the same account.
  account text not null,
  account_key text not null,
  remark text not null default '',
  status text not null default 'in_use' check (status in ('in_use', 'deleted')),
  single_cents numeric(20, 0),
  daily_cents numeric(20, 0),
  cumulative_cents numeric(20, 0),
  -- What was sent since the entry stands, and what it stopped.
  counted_cents numeric(38, 0) not null default 0,
  hit_count bigint not null default 0,
  created_at timestamptz not null default now(),
  created_by_name text not null,
  deleted_at timestamptz,
  deleted_by_name text,
  primary key (company_id, id),
  check (case kind when 'white'
    then single_cents <= daily_cents and daily_cents <= cumulative_cents and single_cents >= 0 and cumulative_cents is not null
    else single_cents is null and daily_cents is null and cumulative_cents is null end)
);
call causeway.fence('causeway.risk_list_entry');
-- An account stands on one list at most.
create unique index risk_list_entry_account on causeway.risk_list_entry (company_id, payee_type, account_key)
  where status = 'in_use';
create index risk_list_entry_time on causeway.risk_list_entry (company_id, kind, created_at desc, id desc);
grant select, insert, update on causeway.risk_list_entry to causeway_app;
grant select, update (counted_cents, hit_count) on causeway.risk_list_entry to causeway_worker;
grant select on causeway.risk_list_entry to causeway_operator;

-- What was sent to a white entry on a day of the company's.
create table causeway.risk_list_usage (
  company_id uuid not null,
  entry_id uuid not null,
  day date not null,
  value_cents numeric(38, 0) not null,
  primary key (company_id, entry_id, day),
  foreign key (company_id, entry_id) references causeway.risk_list_entry (company_id, id)
);
call causeway.fence('causeway.risk_list_usage');
grant select, insert, update on causeway.risk_list_usage to causeway_app;
grant select, update on causeway.risk_list_usage to causeway_worker;
grant select on causeway.risk_list_usage to causeway_operator;

-- What the windows hold, by day of the company's: never summed from transactions. `asset` is the coin or the currency.
create table causeway.risk_usage (
  company_id uuid not null,
  business text not null,
  day date not null,
  asset text not null,
  transactions bigint not null,
  quantity numeric(78, 0) not null,
  value_cents numeric(38, 0) not null,
  primary key (company_id, business, day, asset)
);
call causeway.fence('causeway.risk_usage');
grant select, insert, update on causeway.risk_usage to causeway_app;
grant select, update on causeway.risk_usage to causeway_worker;
grant select on causeway.risk_usage to causeway_operator;

-- Each transaction that was let pass and counted: for giving the count back, and for replays.
create table causeway.risk_flow (
  company_id uuid not null,
  transaction_id uuid not null,
  at timestamptz not null,
  day date not null,
  business text not null,
  chain_id text,
  coin text,
  currency text,
  region text,
  account_kind text not null,
  account text not null,
  quantity numeric(78, 0) not null,
  decimals smallint not null,
  value_cents numeric(38, 0) not null,
  initiator_id uuid not null,
  -- The white entry that it was counted against.
  entry_id uuid,
  -- When its count was given back: it failed, was cancelled or refused.
  forgotten_at timestamptz,
  primary key (company_id, transaction_id)
);
call causeway.fence('causeway.risk_flow');
create index risk_flow_time on causeway.risk_flow (company_id, at, transaction_id);
grant select, insert, update (forgotten_at) on causeway.risk_flow to causeway_app;
grant select, update (forgotten_at) on causeway.risk_flow to causeway_worker;
grant select on causeway.risk_flow to causeway_operator;

-- Every judgement, with what it saw: from this and the ruleset of its version the explanation is computed anew.
create table causeway.risk_assessment (
  company_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  at timestamptz not null,
  moment text not null check (moment in ('submission', 'decision', 'handover')),
  allowed boolean not null,
  reason text,
  subject_id uuid,
  subject_name text,
  ruleset_version bigint not null,
  inputs jsonb not null,
  primary key (company_id, id),
  check (allowed = (reason is null))
);
call causeway.fence('causeway.risk_assessment');
create index risk_assessment_transaction on causeway.risk_assessment (company_id, transaction_id, id desc);
grant select, insert on causeway.risk_assessment to causeway_app, causeway_worker;
grant select on causeway.risk_assessment to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.risk_assessment
  for each statement execute function causeway.refuse_change();

-- Who changed which policy or entry, and what each of them stopped. A hit of the rule "only whitelisted" names no entry.
create table causeway.risk_log (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  subject_kind text not null check (subject_kind in ('policy', 'entry')),
  subject_id uuid,
  -- Of an entry.
  list_kind text,
  type text not null check (type in ('change', 'hit')),
  action text,
  actor_name text,
  before jsonb,
  after jsonb,
  assessment_id uuid,
  primary key (company_id, id),
  check ((type = 'hit') = (assessment_id is not null)),
  foreign key (company_id, assessment_id) references causeway.risk_assessment (company_id, id)
);
call causeway.fence('causeway.risk_log');
create index risk_log_time on causeway.risk_log (company_id, subject_kind, at desc, id desc);
create index risk_log_subject on causeway.risk_log (company_id, subject_id, type, at desc, id desc);
grant select, insert on causeway.risk_log to causeway_app, causeway_worker;
grant select on causeway.risk_log to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.risk_log
  for each statement execute function causeway.refuse_change();
