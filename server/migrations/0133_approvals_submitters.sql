-- Who a rule is for: {"people": [id …], "roles": [id …], "departments": [id …]}, a department with those below it. Null: the rule is for
-- everybody. Where all lists are empty, it applies to no one.
alter table causeway.approval_rule_version add column submitters jsonb;

-- Why the rule applied to its initiator: {"kind": "person" | "role" | "department", "id": …} of the rule's list; null: a rule for everybody.
alter table causeway.approval_task add column rule_submitter jsonb;
-- 0095 admits batches to it.
grant insert (rule_submitter) on causeway.approval_task to causeway_batch;
