-- What the judgements of a batch of submissions read and write.
-- 0093 admits batches to it.
grant select on causeway.company_setting to causeway_batch;
call causeway.admit_batches('causeway.risk_setting', 'select');
call causeway.admit_batches('causeway.risk_ruleset', 'select');
call causeway.admit_batches('causeway.risk_policy_version', 'select');
call causeway.admit_batches('causeway.risk_assessment', 'insert');
call causeway.admit_batches('causeway.risk_log', 'insert');

-- Counts.
call causeway.admit_batches('causeway.risk_flow', 'select');
call causeway.admit_batches('causeway.risk_flow', 'insert');
call causeway.admit_batches('causeway.risk_usage', 'select');
call causeway.admit_batches('causeway.risk_usage', 'insert');
call causeway.admit_batches('causeway.risk_usage', 'update', 'transactions', 'quantity', 'value_cents');
call causeway.admit_batches('causeway.risk_list_usage', 'select');
call causeway.admit_batches('causeway.risk_list_usage', 'insert');
call causeway.admit_batches('causeway.risk_list_usage', 'update', 'value_cents');
call causeway.admit_batches('causeway.risk_list_entry', 'select');
call causeway.admit_batches('causeway.risk_list_entry', 'update', 'counted_cents', 'hit_count');
call causeway.admit_batches('causeway.risk_policy', 'select', 'company_id', 'id', 'intercept_count');
call causeway.admit_batches('causeway.risk_policy', 'update', 'intercept_count');
