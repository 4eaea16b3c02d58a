-- What one operator proposes and another confirms. The row is the record: what was proposed and what was there are never changed, and
-- it is decided once.
create table causeway.operator_proposal (
  id uuid primary key,
  kind text not null,
  subject_kind text not null,
  subject_id text not null,
  -- What the subject was called then.
  subject_name text,
  input jsonb not null,
  before jsonb not null,
  reason text not null,
  proposed_by uuid not null references causeway.operator_account (id),
  proposed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'confirmed', 'rejected', 'withdrawn', 'stale', 'expired')),
  -- Null where it was withdrawn by its proposer, or expired.
  decided_by uuid references causeway.operator_account (id),
  decided_at timestamptz,
  decision_reason text,
  constraint operator_proposal_two_people check (decided_by <> proposed_by),
  constraint operator_proposal_decided check (
    (state = 'open') = (decided_at is null) and (state not in ('confirmed', 'rejected') or decided_by is not null))
);
create unique index operator_proposal_open on causeway.operator_proposal (kind, subject_id) where state = 'open';
create index operator_proposal_time on causeway.operator_proposal (proposed_at desc, id desc);
create index operator_proposal_proposer on causeway.operator_proposal (proposed_by) where state = 'open';
grant select, insert (id, kind, subject_kind, subject_id, subject_name, input, before, reason, proposed_by, expires_at),
  update (state, decided_by, decided_at, decision_reason) on causeway.operator_proposal to causeway_console;
-- Disabling and resetting on the command line withdraw what the person proposed.
grant select (id, kind, proposed_by, state), update (state, decided_at, decision_reason) on causeway.operator_proposal to causeway_operator;

create function causeway.decide_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' then
    raise exception 'a proposal is decided once' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger decided_once before update on causeway.operator_proposal
  for each row execute function causeway.decide_once();
