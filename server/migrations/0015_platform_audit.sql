-- The chain over the audit trail. Each event is sealed a moment after its commit, off the hot path: its place in the
-- company's chain is the order of sealing, its time stands in the event. A seal's hash covers the event and the hash
-- before it, so nothing can be changed, removed or put in between without every later hash changing. Checkpoints are
-- signed by the signer, which follows the chain itself from what it signed last: a chain computed anew gets no signature.

create policy sealer_reads on causeway.audit_event for select to causeway_worker using (true);
create policy signer_reads on causeway.audit_event for select to causeway_signer using (true);
grant select on causeway.audit_event to causeway_signer;
create index audit_event_time on causeway.audit_event (company_id, at desc, id desc);
create index audit_event_action on causeway.audit_event (company_id, action, at desc, id desc);
create index audit_event_actor on causeway.audit_event (company_id, actor_id, at desc, id desc);

-- What waits to be sealed, written by a trigger, so that no event can be forgotten, whoever writes it.
create table causeway.audit_unsealed (
  company_id uuid not null,
  event_id uuid not null,
  primary key (company_id, event_id)
);
alter table causeway.audit_event no force row level security;
insert into causeway.audit_unsealed (company_id, event_id) select company_id, id from causeway.audit_event;
alter table causeway.audit_event force row level security;
call causeway.fence('causeway.audit_unsealed');
create policy sealer on causeway.audit_unsealed to causeway_worker using (true) with check (true);
create policy operator_writes on causeway.audit_unsealed for insert to causeway_operator with check (true);
create index audit_unsealed_order on causeway.audit_unsealed (event_id);
grant insert on causeway.audit_unsealed to causeway_app, causeway_operator;
-- The right to update a column is what FOR UPDATE asks for.
grant select, insert, delete, update (event_id) on causeway.audit_unsealed to causeway_worker;

create function causeway.queue_sealing() returns trigger language plpgsql as $$
begin
  insert into causeway.audit_unsealed (company_id, event_id) values (new.company_id, new.id);
  return null;
end $$;
create trigger sealed_later after insert on causeway.audit_event
  for each row execute function causeway.queue_sealing();

-- The end of each company's chain; its row's lock keeps two sealers of one company apart.
create table causeway.audit_chain (
  company_id uuid primary key,
  seq bigint not null check (seq >= 0),
  hash bytea not null check (length(hash) = 32)
);
call causeway.fence('causeway.audit_chain');
create policy sealer on causeway.audit_chain to causeway_worker using (true) with check (true);
grant select on causeway.audit_chain to causeway_app, causeway_operator;
grant select, insert, update on causeway.audit_chain to causeway_worker;

create table causeway.audit_seal (
  company_id uuid not null,
  -- Without gaps from 1, by company.
  seq bigint not null check (seq >= 1),
  event_id uuid not null,
  -- SHA-256 of the hash before (32 zero bytes before the first) and the event's canonical JSON.
  hash bytea not null check (length(hash) = 32),
  sealed_at timestamptz not null default now(),
  primary key (company_id, seq),
  unique (company_id, event_id),
  foreign key (company_id, event_id) references causeway.audit_event (company_id, id)
);
call causeway.fence('causeway.audit_seal');
create policy sealer on causeway.audit_seal to causeway_worker using (true) with check (true);
create policy signer_reads on causeway.audit_seal for select to causeway_signer using (true);
grant select on causeway.audit_seal to causeway_app, causeway_signer, causeway_operator;
grant select, insert on causeway.audit_seal to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.audit_seal
  for each statement execute function causeway.refuse_change();

-- The signer's journal of what it signed, which it alone may write: one hash for a place, and none below the last.
create table causeway.audit_checkpoint (
  company_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  -- As signed, ISO 8601 with milliseconds.
  signed_at text not null,
  key_id text not null,
  signature bytea not null,
  primary key (company_id, seq)
);
call causeway.fence('causeway.audit_checkpoint');
create policy signer on causeway.audit_checkpoint to causeway_signer using (true) with check (true);
create policy sealer_reads on causeway.audit_checkpoint for select to causeway_worker using (true);
grant select on causeway.audit_checkpoint to causeway_app, causeway_worker, causeway_operator;
grant select, insert on causeway.audit_checkpoint to causeway_signer;
create trigger append_only before update or delete or truncate on causeway.audit_checkpoint
  for each statement execute function causeway.refuse_change();

-- The keys that checkpoints were signed with, as the signer made them known. Outside tenancy.
create table causeway.audit_key (
  key_id text primary key,
  public_key bytea not null check (length(public_key) = 32),
  since timestamptz not null default now()
);
grant select on causeway.audit_key to causeway_app, causeway_worker, causeway_operator;
grant select, insert on causeway.audit_key to causeway_signer;
create trigger append_only before update or delete or truncate on causeway.audit_key
  for each statement execute function causeway.refuse_change();
