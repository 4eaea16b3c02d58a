-- To which role and departments (their own, then those above it) the initiator belonged when a transaction was counted: replays judge it
-- by these. Null: from before they were kept.
alter table causeway.risk_flow
  add column role_id uuid,
  add column department_ids uuid[];
