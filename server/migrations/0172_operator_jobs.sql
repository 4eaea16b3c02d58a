-- The worker's jobs that wait or are repeated, as it reports them every half minute: the console has no right to the queue's tables. Of the
-- payload only the ids that it names are kept.
create table causeway.waiting_job (
  id bigint primary key,
  name text not null,
  company_id uuid,
  about uuid[] not null,
  attempts integer not null,
  max_attempts integer not null,
  error text,
  queued_at timestamptz not null,
  run_at timestamptz not null
);
create index waiting_job_about on causeway.waiting_job using gin (about);
grant select, insert, update, delete on causeway.waiting_job to causeway_worker;
grant select on causeway.waiting_job to causeway_console;
