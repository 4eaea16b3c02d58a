-- Schema, tenancy context, outbox, idempotency, audit. Roles are made by the migration program (passwords come from
-- the configuration): causeway_app (HTTP), causeway_worker (relay, jobs, watchers), causeway_signer (reads, its journal),
-- causeway_operator (command line, verifiers). None owns a table; none may bypass row-level security.

create schema causeway;
grant usage on schema causeway to causeway_app, causeway_worker, causeway_signer, causeway_operator;

-- The company of the running transaction, from its setting; null when none is set, so that nothing matches.
create function causeway.company_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('causeway.company_id', true), '')::uuid;

-- What every tenant table gets: the fence that holds even when a WHERE clause is forgotten. FORCE makes it hold for the
-- owner too, so functions that run with the owner's rights stay inside the company. The operator reads across companies.
create procedure causeway.fence(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy company on %s using (company_id = (select causeway.company_id())) with check (company_id = (select causeway.company_id()))',
    target);
  execute format('create policy operator_reads on %s for select to causeway_operator using (true)', target);
end $$;

create table causeway.outbox (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
call causeway.fence('causeway.outbox');
create policy relay on causeway.outbox to causeway_worker using (true) with check (true);
grant select, insert on causeway.outbox to causeway_app, causeway_operator;
create policy operator_writes on causeway.outbox for insert to causeway_operator with check (true);
-- The right to update a column is what FOR UPDATE asks for.
grant select, insert, delete, update (name) on causeway.outbox to causeway_worker;

-- Kept for ever (decisions, "Ledger"): a key answers with its first answer.
create table causeway.idempotency (
  company_id uuid not null,
  key text not null,
  call text not null,
  request_sha256 bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, key)
);
call causeway.fence('causeway.idempotency');
grant select, insert on causeway.idempotency to causeway_app;

-- Append-only. The platform's own actions (operator) stand under the nil UUID.
create table causeway.audit_event (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('user', 'operator', 'system')),
  actor_id text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  detail jsonb not null default '{}',
  ip text,
  request_id text,
  primary key (company_id, id)
);
call causeway.fence('causeway.audit_event');
create index audit_event_subject on causeway.audit_event (company_id, subject_kind, subject_id, id);
create policy operator_writes on causeway.audit_event for insert to causeway_operator with check (true);
grant select, insert on causeway.audit_event to causeway_app, causeway_worker, causeway_operator;

create function causeway.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'CW001';
end $$;
create trigger append_only before update or delete or truncate on causeway.audit_event
  for each statement execute function causeway.refuse_change();

-- Counters against guessing, shared by all processes: at most `limit` events in a window, by bucket. Outside tenancy.
create table causeway.throttle (
  bucket text primary key,
  events integer not null,
  window_ends_at timestamptz not null
);
grant select, insert, update, delete on causeway.throttle to causeway_app, causeway_worker;
