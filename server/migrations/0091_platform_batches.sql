-- Several companies' submissions travel in one transaction (docs/adr/0063-…). Such a transaction runs as causeway_batch, which
-- causeway_app takes on for its length, and sees the companies that its setting names and no other. The role can do nothing but
-- what the submissions of a batch need: each feature admits it to its own tables, one command at a time.
grant usage on schema causeway to causeway_batch, causeway_ledger;

-- The companies of the running transaction: those of its batch, or its one company; empty when neither is set.
create function causeway.company_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('causeway.company_ids', true), '')::uuid[], array[causeway.company_id()]);

-- Admits batches to a table, for one command: select, insert or update. The columns are those that may be written.
create procedure causeway.admit_batches(target regclass, command text, variadic columns text[] default '{}') language plpgsql as $$
declare
  c_own constant text := 'company_id = any ((select causeway.company_ids())::uuid[])';
begin
  execute format('create policy %I on %s for %s to causeway_batch %s%s', 'batch_' || command, target, command,
    case when command <> 'insert' then format('using (%s) ', c_own) else '' end,
    case when command <> 'select' then format('with check (%s)', c_own) else '' end);
  execute format('grant %s%s on %s to causeway_batch', command,
    case when columns = '{}' then '' else (select format(' (%s)', string_agg(quote_ident(c), ', ')) from unnest(columns) as c) end,
    target);
end $$;

call causeway.admit_batches('causeway.idempotency', 'select');
call causeway.admit_batches('causeway.idempotency', 'insert');
call causeway.admit_batches('causeway.outbox', 'insert');
call causeway.admit_batches('causeway.audit_event', 'insert');
call causeway.admit_batches('causeway.audit_unsealed', 'insert');

-- Once for a statement that writes several.
create or replace function causeway.queue_sealing() returns trigger language plpgsql as $$
begin
  insert into causeway.audit_unsealed (company_id, event_id) select company_id, id from added;
  return null;
end $$;
drop trigger sealed_later on causeway.audit_event;
create trigger sealed_later after insert on causeway.audit_event
  referencing new table as added for each statement execute function causeway.queue_sealing();
