-- Requests that wrote something, as they were answered: for the operator, who has a request's id from an error or from the audit log.
-- Neither bodies nor secrets. Outside tenancy: the processes that answer insert in batches, after the answer; none of them can read it.
create table causeway.request_log (
  id uuid primary key,
  at timestamptz not null,
  call text not null,
  company_id uuid,
  -- The member who asked.
  actor_id uuid,
  ip text not null,
  status integer not null,
  -- The error's key; null where it succeeded.
  error text,
  duration_ms integer not null
);
-- They are removed by age.
create index request_log_at on causeway.request_log (at);
grant insert on causeway.request_log to causeway_app;
grant select on causeway.request_log to causeway_console;
grant select (id, at), delete on causeway.request_log to causeway_worker;
