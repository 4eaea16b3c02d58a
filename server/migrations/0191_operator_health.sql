-- What the worker, and each process, reports for the operator's console: it has no way to nodes, to the job queue or to other processes.

-- Each process writes its own row every half minute.
create table causeway.process_heartbeat (
  id uuid primary key,
  name text not null check (name in ('main', 'worker', 'signer', 'operator-main')),
  version text not null,
  commit text,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
);
grant select, insert, delete, update (seen_at) on causeway.process_heartbeat
  to causeway_app, causeway_worker, causeway_signer, causeway_console;

-- The last report of each subject: queues, outbox, files, archive.
create table causeway.installation_report (
  name text primary key,
  report jsonb not null,
  reported_at timestamptz not null default now()
);
grant select, insert, update on causeway.installation_report to causeway_worker;
grant select on causeway.installation_report to causeway_console;

create table causeway.node_state (
  chain_id text not null,
  -- Its place in the configuration: its address may hold a key.
  node text not null,
  height bigint,
  block_at timestamptz,
  delay_ms integer,
  -- Blocks behind the highest node of the chain.
  behind bigint,
  disagrees boolean not null,
  error text,
  checked_at timestamptz not null default now(),
  primary key (chain_id, node)
);
grant select, insert, update, delete on causeway.node_state to causeway_worker;
grant select on causeway.node_state to causeway_console;

create table causeway.gas_tank_state (
  chain_id text primary key,
  address text not null,
  balance numeric(78, 0) not null,
  -- Payments whose network fee it can still advance at the present fee.
  payments bigint not null,
  -- Whether the worker's configuration names this address as the tank.
  is_configured boolean not null,
  checked_at timestamptz not null default now()
);
grant select, insert, update on causeway.gas_tank_state to causeway_worker;
grant select on causeway.gas_tank_state to causeway_console;
-- Rises of its balance between two reports: what was topped up, less what was spent in between.
create table causeway.gas_tank_rise (
  id uuid primary key,
  chain_id text not null,
  at timestamptz not null default now(),
  amount numeric(78, 0) not null check (amount > 0),
  balance numeric(78, 0) not null
);
create index gas_tank_rise_time on causeway.gas_tank_rise (chain_id, at desc);
grant select, insert on causeway.gas_tank_rise to causeway_worker;
grant select on causeway.gas_tank_rise to causeway_console;
create index chain_send_gas on causeway.chain_send (chain_id, final_at) where kind = 'gas';

-- What was verified at night, kept.
create table causeway.verification (
  id uuid primary key,
  kind text not null check (kind in ('ledger', 'chain', 'audit')),
  -- Null for what is no chain's.
  chain_id text,
  started_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  result text not null check (result in ('agrees', 'differs', 'failed')),
  checked bigint not null,
  differences bigint not null,
  findings jsonb not null,
  check ((kind = 'chain') = (chain_id is not null))
);
create index verification_time on causeway.verification (ended_at desc, id desc);
create index verification_last on causeway.verification (kind, chain_id, ended_at desc);
grant select, insert on causeway.verification to causeway_worker;
grant select on causeway.verification to causeway_console;

-- The size of each table once a day; of the database under an empty name.
create table causeway.storage_day (
  day date not null,
  name text not null,
  bytes bigint not null,
  rows bigint not null,
  primary key (day, name)
);
grant select, insert, delete on causeway.storage_day to causeway_worker;
grant select on causeway.storage_day to causeway_console;

-- What operators decide about failed jobs; the worker carries it out.
create table causeway.operator_job_decision (
  id uuid primary key,
  job_id bigint not null,
  act text not null check (act in ('retry', 'setAside')),
  reason text not null,
  operator_id uuid not null references causeway.operator_account (id),
  at timestamptz not null default now()
);
create index operator_job_decision_job on causeway.operator_job_decision (job_id, at desc);
grant select, insert on causeway.operator_job_decision to causeway_console;
alter table causeway.failed_job add column set_aside_at timestamptz;
create index failed_job_time on causeway.failed_job (failed_at desc, id desc);

alter policy console_writes on causeway.outbox
  with check (company_id = '00000000-0000-0000-0000-000000000000'
    and name in ('operator.mail', 'operator.actConfirmed', 'operator.jobDecided', 'audit.checkpointDue'));

-- Fees of every company, for the treasury. The balance must not be part of it (0156).
create index ledger_account_fee on causeway.ledger_account (company_id, id) where kind = 'fee';

-- How many entries wait for their seal: ids alone.
grant select on causeway.audit_unsealed to causeway_console;
