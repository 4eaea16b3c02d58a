-- What two operators have agreed on and the worker carries out: an act changes a company's rows or moves money, which the console's role
-- cannot. Outside tenancy. The row exists only for a confirmed proposal and ends once.

create table causeway.operator_act (
  proposal_id uuid primary key references causeway.operator_proposal (id),
  kind text not null,
  -- In whose books; the nil company's where it concerns the installation.
  company_id uuid not null,
  subject_id text not null,
  subject_name text,
  input jsonb not null,
  before jsonb not null,
  reason text not null,
  proposed_by uuid not null references causeway.operator_account (id),
  confirmed_by uuid not null references causeway.operator_account (id),
  confirmed_at timestamptz not null default now(),
  state text not null default 'pending' check (state in ('pending', 'done', 'refused')),
  -- The error that refused it, with its blanks.
  refusal text,
  details jsonb not null default '{}',
  -- What it made: ids of postings and jobs.
  result jsonb not null default '{}',
  ended_at timestamptz,
  -- When its end was written to the operator's log.
  logged_at timestamptz,
  check ((state = 'pending') = (ended_at is null)),
  check ((state = 'refused') = (refusal is not null)),
  check (proposed_by <> confirmed_by)
);
create index operator_act_pending on causeway.operator_act (confirmed_at) where state = 'pending';
create index operator_act_subject on causeway.operator_act (subject_id, confirmed_at desc);
grant select, insert (proposal_id, kind, company_id, subject_id, subject_name, input, before, reason, proposed_by, confirmed_by)
  on causeway.operator_act to causeway_console;
grant select, update (state, refusal, details, result, ended_at, logged_at) on causeway.operator_act to causeway_worker;

-- With its owner's rights: the worker never reads proposals, and what it carries out is what was confirmed.
create function causeway.require_confirmed() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if not exists (
    select from causeway.operator_proposal p
    where p.id = new.proposal_id and p.state = 'confirmed' and p.kind = new.kind and p.subject_id = new.subject_id
      and p.input = new.input and p.before = new.before and p.proposed_by = new.proposed_by and p.decided_by = new.confirmed_by)
  then
    raise exception 'an act carries out a confirmed proposal' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger confirmed before insert on causeway.operator_act for each row execute function causeway.require_confirmed();

create function causeway.end_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' and (new.state, new.refusal, new.result, new.ended_at) is distinct from (old.state, old.refusal, old.result, old.ended_at) then
    raise exception 'an act ends once' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger ended_once before update on causeway.operator_act for each row execute function causeway.end_once();

alter policy console_writes on causeway.outbox
  with check (company_id = '00000000-0000-0000-0000-000000000000'
    and name in ('operator.mail', 'operator.actConfirmed', 'audit.checkpointDue'));
