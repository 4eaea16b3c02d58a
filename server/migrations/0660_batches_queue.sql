-- Rows of large runs that are held and not entered as transactions yet (docs/adr/0116-…): as they were decided, until they are entered. Part 0 says what all have in common, and the
-- hash of each part of rows; its seal is of the process that accepted the run, which believes nothing else of it.
create table causeway.payout_batch_queue (
  company_id uuid not null,
  run_id uuid not null,
  part integer not null check (part >= 0),
  content bytea not null,
  seal text check ((part = 0) = (seal is not null)),
  created_at timestamptz not null default now(),
  primary key (company_id, run_id, part),
  foreign key (company_id, run_id) references causeway.payout_batch_run (company_id, id)
);
-- They live for seconds, and are not worth being compressed.
alter table causeway.payout_batch_queue alter column content set storage external;
call causeway.fence('causeway.payout_batch_queue');
create policy queued on causeway.payout_batch_queue for select to causeway_owner using (part = 0);
-- The right to update a column is what FOR UPDATE asks for.
grant select, insert, delete, update (part) on causeway.payout_batch_queue to causeway_app;

-- Ends what would decide without rows that are held and not entered yet, of one of these companies: to be called behind a lock that submissions hold, too.
create function causeway.refuse_queued(p_companies uuid[]) returns void
language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company uuid;
begin
  select q.company_id into v_company from payout_batch_queue q where q.company_id = any (p_companies) and q.part = 0 limit 1;
  if found then
    raise exception 'rows of a run are not entered yet' using errcode = 'CW005', detail = v_company;
  end if;
end $$;
revoke execute on function causeway.refuse_queued from public;
grant execute on function causeway.refuse_queued
  to causeway_app, causeway_batch, causeway_worker, causeway_look;

-- The companies that have such rows, the longest first.
create function causeway.payout_batches_queued() returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select q.company_id from payout_batch_queue q where q.part = 0 group by q.company_id order by min(q.created_at)
$$;
revoke execute on function causeway.payout_batches_queued from public;
grant execute on function causeway.payout_batches_queued to causeway_app, causeway_operator;

-- What is held is given back, to be held row by row or not at all, by what deletes its rows.
create function causeway.refuse_loss_of_queued() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_posting p where p.company_id = old.company_id and p.source_id = old.run_id and p.kind = 'batch.release') then
    raise exception 'what is held for queued rows is not given back' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger given_back before delete on causeway.payout_batch_queue
  for each row when (old.part = 0) execute function causeway.refuse_loss_of_queued();
