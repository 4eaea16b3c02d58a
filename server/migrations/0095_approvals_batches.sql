-- What submissions in a batch read of review: settings, rules and the people whom they name; the files that they attach. They write
-- tasks and notices. ON CONFLICT wants the right to read the columns of its key.
call causeway.admit_batches('causeway.approval_setting', 'select', 'company_id', 'enabled', 'expiry_days', 'reminder_hours');
call causeway.admit_batches('causeway.approval_rule', 'select');
call causeway.admit_batches('causeway.approval_rule_version', 'select');
-- 0093 admits batches to members.
grant select (first_name, last_name, email, department_id, deleted_at, on_leave, deputy_id) on causeway.member to causeway_batch;
call causeway.admit_batches('causeway.role', 'select', 'company_id', 'id', 'name', 'active', 'permissions', 'quota_usd_cents');
call causeway.admit_batches('causeway.department', 'select', 'company_id', 'id', 'name');
call causeway.admit_batches('causeway.authority_change', 'select');
call causeway.admit_batches('causeway.file', 'select', 'company_id', 'id', 'storage_name', 'name', 'type', 'size_bytes',
  'sha256', 'created_at');
call causeway.admit_batches('causeway.approval_task', 'insert', 'company_id', 'id', 'kind', 'subject_id', 'digest', 'content',
  'adoptable', 'changes_controls', 'coin', 'decimals', 'amount', 'amount_coins', 'value', 'initiator_id', 'initiator_name',
  'applicant', 'department', 'rule_id', 'rule_version', 'nodes', 'parties', 'search', 'effective_at', 'expires_at', 'remind_at');
call causeway.admit_batches('causeway.notice', 'insert', 'company_id', 'id', 'kind', 'source_id', 'values', 'link', 'recipients',
  'recipients_key', 'facts', 'search');
call causeway.admit_batches('causeway.notice', 'select', 'company_id', 'source_id', 'kind', 'recipients_key');
