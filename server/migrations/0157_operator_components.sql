-- What the worker reports for the operator's console, which has no way to its health port and no right to the job queue's tables.

-- The last result of each health check of the worker. One worker at a time reports.
create table causeway.component_state (
  name text primary key,
  state text not null check (state in ('ok', 'failed')),
  -- What the check says; null while all is well.
  reason text,
  -- Since when it is in this state, and when it was last looked at.
  since timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  check ((state = 'failed') = (reason is not null))
);
grant select, insert, update, delete on causeway.component_state to causeway_worker;
grant select on causeway.component_state to causeway_console;

-- Jobs that were tried as often as they may be. The payload stays in the queue: it may hold what only the worker may read.
create table causeway.failed_job (
  id bigint primary key,
  name text not null,
  company_id uuid,
  attempts integer not null,
  error text,
  failed_at timestamptz not null
);
grant select, insert, update, delete on causeway.failed_job to causeway_worker;
grant select on causeway.failed_job to causeway_console;
