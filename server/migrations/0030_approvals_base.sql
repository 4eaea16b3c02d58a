-- Approving: the rules that say who must approve what, the tasks that run under them, the decisions that were made.

-- One row a company, made when something is first set. `version` counts every change of the rules and of the switch: a
-- proposal holds the version it was made against, and no longer stands once that has moved on.
create table causeway.approval_setting (
  company_id uuid primary key,
  enabled boolean not null default false,
  expiry_days integer not null default 7 check (expiry_days between 1 and 60),
  reminder_hours integer not null default 24 check (reminder_hours between 1 and 168),
  version bigint not null default 0
);
call causeway.fence('causeway.approval_setting');
grant select, insert, update on causeway.approval_setting to causeway_app;
grant select on causeway.approval_setting to causeway_worker, causeway_operator;

create table causeway.approval_rule (
  company_id uuid not null,
  id uuid not null,
  -- The version in force.
  version integer not null check (version >= 1),
  position integer not null,
  deleted_at timestamptz,
  primary key (company_id, id)
);
call causeway.fence('causeway.approval_rule');
grant select, insert, update (version, position, deleted_at) on causeway.approval_rule to causeway_app;
grant select on causeway.approval_rule to causeway_worker, causeway_operator;

-- Every version a rule ever had. Bounds are US cents, lower ≤ value < upper; nodes are
-- [{"needed": 1, "people": [id …], "roles": [id …]} …], passed strictly one after another.
create table causeway.approval_rule_version (
  company_id uuid not null,
  rule_id uuid not null,
  version integer not null,
  name text not null,
  lower numeric(20, 0) not null check (lower >= 0),
  upper numeric(20, 0) check (upper > lower),
  nodes jsonb not null,
  active boolean not null,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  created_by_name text not null,
  primary key (company_id, rule_id, version),
  foreign key (company_id, rule_id) references causeway.approval_rule (company_id, id)
);
call causeway.fence('causeway.approval_rule_version');
grant select, insert on causeway.approval_rule_version to causeway_app;
grant select on causeway.approval_rule_version to causeway_worker, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.approval_rule_version
  for each statement execute function causeway.refuse_change();

create table causeway.approval_task (
  company_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('transfer', 'rule_change', 'control_change')),
  -- The transaction, or the task itself for a change of rules or other controls.
  subject_id uuid not null,
  -- SHA-256, hex, of what an approval binds to.
  digest text not null,
  -- What was applied for, as it was: payee, account, chain, notes, attachments; or the change of rules.
  content jsonb not null,
  -- Null for a change of rules. Minor units, and US cents at the time of submission.
  coin text,
  decimals integer,
  amount numeric(78, 0),
  -- In whole coins, so that amounts of different coins can be searched alike.
  amount_coins numeric,
  "value" numeric(30, 0),
  initiator_id uuid not null,
  initiator_name text not null,
  applicant text not null,
  department text,
  rule_id uuid,
  rule_version integer,
  nodes jsonb not null,
  -- The node it stands at, from 0.
  node integer not null default 0,
  node_since timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  ended_as text check (ended_as in ('approved', 'rejected', 'withdrawn', 'expired', 'voided', 'stopped', 'applied')),
  reason text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null,
  remind_at timestamptz not null,
  -- Everybody whom it concerns: initiator, people and roles of its nodes, whoever decided.
  parties uuid[] not null,
  -- Lower case, for the keyword search.
  search text not null,
  primary key (company_id, id),
  unique (company_id, kind, subject_id),
  check ((status = 'pending') = (ended_as is null) and (status = 'pending') = (finished_at is null)),
  check (status = 'pending' or (status = 'approved') = (ended_as in ('approved', 'applied'))),
  foreign key (company_id, rule_id, rule_version) references causeway.approval_rule_version (company_id, rule_id, version)
);
call causeway.fence('causeway.approval_task');
create index approval_task_time on causeway.approval_task (company_id, started_at desc, id desc);
create index approval_task_status on causeway.approval_task (company_id, status, started_at desc, id desc);
create index approval_task_initiator on causeway.approval_task (company_id, initiator_id, started_at desc, id desc);
create index approval_task_due on causeway.approval_task (least(expires_at, remind_at)) where status = 'pending';
grant select, insert on causeway.approval_task to causeway_app;
grant update (node, node_since, status, ended_as, reason, finished_at, remind_at, parties) on causeway.approval_task to causeway_app, causeway_worker;
grant select on causeway.approval_task to causeway_worker, causeway_operator;

-- Append-only. One person decides once in a chain, and so does one seat: a deputy's decision uses up the place of the person
-- on leave. `jws` is the seal of the HTTP process; the signer trusts it and not the other columns.
create table causeway.approval_decision (
  company_id uuid not null,
  task_id uuid not null,
  approver_id uuid not null,
  approver_name text not null,
  -- The person in whose place it was decided: the approver, or somebody on leave.
  seat_id uuid not null,
  seat_name text not null,
  role_id uuid not null,
  node integer not null check (node >= 0),
  outcome text not null check (outcome in ('approved', 'rejected')),
  opinion text not null,
  proof_method text not null,
  proof_id text not null,
  jws text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, task_id, approver_id),
  unique (company_id, task_id, seat_id),
  foreign key (company_id, task_id) references causeway.approval_task (company_id, id)
);
call causeway.fence('causeway.approval_decision');
create policy signer_reads on causeway.approval_decision for select to causeway_signer using (true);
grant select, insert on causeway.approval_decision to causeway_app;
grant select on causeway.approval_decision to causeway_worker, causeway_signer, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.approval_decision
  for each statement execute function causeway.refuse_change();

create table causeway.approval_log (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  -- Null: the system.
  actor_id uuid,
  actor_name text,
  action text not null,
  detail jsonb not null,
  task_id uuid,
  primary key (company_id, id)
);
call causeway.fence('causeway.approval_log');
create index approval_log_time on causeway.approval_log (company_id, at desc, id desc);
grant select, insert on causeway.approval_log to causeway_app, causeway_worker;
grant select on causeway.approval_log to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.approval_log
  for each statement execute function causeway.refuse_change();

-- Tasks whose time has come, of all companies: to expire, or to remind of. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select (company_id, id, status, expires_at, remind_at) on causeway.approval_task to causeway_lookup;
create policy lookup_due on causeway.approval_task for select to causeway_lookup using (status = 'pending');
create function causeway.approvals_due(p_now timestamptz) returns table (company_id uuid, id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id from approval_task t
  where t.status = 'pending' and least(t.expires_at, t.remind_at) <= p_now
  order by least(t.expires_at, t.remind_at) limit 200;
$$;
alter function causeway.approvals_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.approvals_due from public;
grant execute on function causeway.approvals_due to causeway_worker;
