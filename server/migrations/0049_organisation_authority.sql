-- What members could do before each change of it: an approver cannot decide on a task that was opened before they could, and it is
-- shown who gave an approver the right (docs/FOUR_EYES.md). A member without a row could always do what they can now.
create table causeway.authority_change (
  company_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- By the database's clock, as the beginnings of tasks are.
  at timestamptz not null default clock_timestamp(),
  -- Who made the change, or proposed it.
  by_id uuid not null,
  by_name text not null,
  -- Role, controlling permissions, approval amount, whom they stand in for; null: nothing, as of a new or disabled member.
  before jsonb,
  -- Whether they came to anything by it.
  gained boolean not null,
  primary key (company_id, id),
  foreign key (company_id, member_id) references causeway.member (company_id, id)
);
create index authority_change_member on causeway.authority_change (company_id, at, member_id);
call causeway.fence('causeway.authority_change');
grant select, insert on causeway.authority_change to causeway_app;
grant select on causeway.authority_change to causeway_worker, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.authority_change
  for each statement execute function causeway.refuse_change();

alter table causeway.company_setting
  -- How long a change that widens a control waits where there is no second person.
  add column waiting_hours integer not null default 24 check (waiting_hours between 1 and 168),
  -- Forbids decisions by an approver to whom the task's initiator gave the right within 30 days before.
  add column forbid_own_approvers boolean not null default false;
