-- Which notice a stopped transaction went into: repeated tries of one initiator to one account, stopped for the same reason within an
-- hour, share one, whose text then says how many they are.

create table causeway.risk_alert (
  company_id uuid not null,
  -- What was stopped.
  assessment_id uuid not null,
  -- The first of those that share the notice; the notice's source.
  alert_id uuid not null,
  initiator_id uuid not null,
  account text not null,
  reason text not null,
  -- The policy or entry; "only whitelisted" has none.
  subject_id uuid,
  -- It had been submitted before: an approver's decision, or the hand-over to signing, met it.
  late boolean not null,
  at timestamptz not null,
  primary key (company_id, assessment_id),
  foreign key (company_id, assessment_id) references causeway.risk_assessment (company_id, id),
  foreign key (company_id, alert_id) references causeway.risk_assessment (company_id, id)
);
call causeway.fence('causeway.risk_alert');
create index risk_alert_shared on causeway.risk_alert (company_id, alert_id);
create index risk_alert_first on causeway.risk_alert (company_id, initiator_id, at desc) where assessment_id = alert_id;
grant select, insert on causeway.risk_alert to causeway_worker;
grant select on causeway.risk_alert to causeway_operator;
create trigger append_only before update or delete or truncate on causeway.risk_alert
  for each statement execute function causeway.refuse_change();

-- A notice that counts is written again with each.
grant update ("values", search) on causeway.notice to causeway_worker;
