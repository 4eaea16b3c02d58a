-- Webhooks to companies' own systems (docs/adr/0097-…): endpoints with their secrets, events, and for each endpoint a delivery with its attempts.

create table causeway.webhook_endpoint (
  company_id uuid not null,
  id uuid not null,
  url text not null check (length(url) between 1 and 500),
  description text not null default '',
  -- Null: all.
  events text[] check (cardinality(events) > 0),
  enabled boolean not null default true,
  -- Since when it is on: what happened before is not delivered to it.
  since timestamptz not null default clock_timestamp(),
  off_reason text check (off_reason in ('member', 'gone', 'failing')),
  off_at timestamptz,
  -- Attempts that failed since the last that did not, and since when.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  -- After several failures nothing is sent until then.
  paused_until timestamptz,
  delivered_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, created_by) references causeway.member (company_id, id),
  check ((off_reason is null) = enabled),
  check ((off_at is null) = enabled),
  check ((failures = 0) = (failing_since is null)),
  check (removed_at is null or not enabled)
);
call causeway.fence('causeway.webhook_endpoint');
create index webhook_endpoint_on on causeway.webhook_endpoint (company_id) where enabled;
-- The relay asks which companies have any, and workers claim what is due, of whatever company.
create policy worker_reads on causeway.webhook_endpoint for select to causeway_worker using (true);
grant select on causeway.webhook_endpoint to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (company_id, id, url, description, events, created_by) on causeway.webhook_endpoint to causeway_app;
grant update (url, description, events, enabled, since, off_reason, off_at, failures, failing_since, paused_until, removed_at)
  on causeway.webhook_endpoint to causeway_app;
grant update (enabled, off_reason, off_at, failures, failing_since, paused_until, delivered_at) on causeway.webhook_endpoint to causeway_worker;

-- Sealed under WEBHOOK_SECRET. Column by column, so that no look of an operator and no console reads them (`admit_looks`).
create table causeway.webhook_secret (
  company_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  -- Of the one before the last rotation: until then it signs as well.
  ends_at timestamptz,
  primary key (company_id, endpoint_id, id),
  foreign key (company_id, endpoint_id) references causeway.webhook_endpoint (company_id, id)
);
call causeway.fence('causeway.webhook_secret');
create unique index webhook_secret_current on causeway.webhook_secret (company_id, endpoint_id) where ends_at is null;
grant select (company_id, endpoint_id, id, sealed, made_at, ends_at) on causeway.webhook_secret to causeway_app, causeway_worker;
grant insert (company_id, endpoint_id, id, sealed), update (ends_at), delete on causeway.webhook_secret to causeway_app;
-- Whether an endpoint is being rotated is shown; the secret is not.
grant select (company_id, endpoint_id, ends_at) on causeway.webhook_secret to causeway_look;

-- What happened, with its body as it is sent to every endpoint: written once, never changed.
create table causeway.webhook_event (
  company_id uuid not null,
  -- Of a transaction's event, the id of the line of its timeline.
  id uuid not null,
  type text not null,
  transaction_id uuid,
  body text not null,
  at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.webhook_event');
create index webhook_event_transaction on causeway.webhook_event (company_id, transaction_id) where transaction_id is not null;
create index webhook_event_old on causeway.webhook_event (created_at);
grant select on causeway.webhook_event to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (company_id, id, type, transaction_id, body, at) on causeway.webhook_event to causeway_app, causeway_worker;
grant delete on causeway.webhook_event to causeway_worker;

create table causeway.webhook_delivery (
  company_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Attempts in all, and those since it was last begun: a resend begins again.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_at timestamptz default clock_timestamp(),
  -- The worker that sends it holds it until then; after that another tries again, with the same id.
  lease_id uuid,
  lease_until timestamptz,
  last_status integer,
  last_problem text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (company_id, id),
  unique (company_id, event_id, endpoint_id),
  check ((state = 'waiting') = (next_at is not null)),
  check ((state = 'waiting') = (ended_at is null)),
  check ((lease_id is null) = (lease_until is null)),
  check (state = 'waiting' or lease_id is null),
  foreign key (company_id, event_id) references causeway.webhook_event (company_id, id) on delete cascade,
  foreign key (company_id, endpoint_id) references causeway.webhook_endpoint (company_id, id)
);
call causeway.fence('causeway.webhook_delivery');
create index webhook_delivery_due on causeway.webhook_delivery (company_id, endpoint_id, next_at) where state = 'waiting';
create index webhook_delivery_leased on causeway.webhook_delivery (company_id, endpoint_id) where lease_id is not null;
create index webhook_delivery_time on causeway.webhook_delivery (company_id, created_at desc, id desc);
create index webhook_delivery_failed on causeway.webhook_delivery (company_id, endpoint_id, created_at) where state = 'failed';
create policy worker_claims on causeway.webhook_delivery for select to causeway_worker using (state = 'waiting');
create policy worker_leases on causeway.webhook_delivery for update to causeway_worker using (state = 'waiting') with check (state = 'waiting');
grant select on causeway.webhook_delivery to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (company_id, id, event_id, endpoint_id) on causeway.webhook_delivery to causeway_app, causeway_worker;
grant update (state, tries, next_at, lease_id, lease_until, last_problem, ended_at) on causeway.webhook_delivery to causeway_app;
grant update (state, attempts, tries, next_at, lease_id, lease_until, last_status, last_problem, ended_at) on causeway.webhook_delivery to causeway_worker;

create table causeway.webhook_attempt (
  company_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  status integer,
  problem text,
  -- The first 2048 bytes.
  answer text,
  -- As they were sent, but for signatures.
  headers jsonb not null,
  primary key (company_id, delivery_id, number),
  foreign key (company_id, delivery_id) references causeway.webhook_delivery (company_id, id) on delete cascade,
  check (status is not null or problem is not null)
);
call causeway.fence('causeway.webhook_attempt');
grant select on causeway.webhook_attempt to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.webhook_attempt to causeway_worker;

-- What the log no longer reaches back to; deliveries and attempts go with their event.
create policy expiry_seen on causeway.webhook_event for select to causeway_worker using (created_at < now() - interval '90 days');
create policy expiry on causeway.webhook_event for delete to causeway_worker using (created_at < now() - interval '90 days');
create policy expired_alone on causeway.webhook_event as restrictive for delete to causeway_worker using (created_at < now() - interval '90 days');
