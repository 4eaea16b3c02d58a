-- A bank's file that an operator uploads: kept with what was understood of it until a second operator agrees; then the worker takes it in as one
-- that came from the bank.
create table causeway.operator_bank_upload (
  id uuid primary key,
  bank_id text not null references causeway.bank (id),
  name text not null check (length(name) between 1 and 200),
  sha256 bytea not null check (length(sha256) = 32),
  content bytea not null check (length(content) between 1 and 10485760),
  -- Of each message its kind and id, of each statement its account, entries and balances; amounts as plain decimals.
  understood jsonb not null,
  uploaded_by uuid not null references causeway.operator_account (id),
  uploaded_at timestamptz not null default now()
);
create index operator_bank_upload_content on causeway.operator_bank_upload (bank_id, sha256);
create trigger append_only before update or delete or truncate on causeway.operator_bank_upload
  for each statement execute function causeway.refuse_change();
grant select, insert on causeway.operator_bank_upload to causeway_console;
grant select on causeway.operator_bank_upload to causeway_worker, causeway_operator;

-- The operator's list of moneys in one state, in the order in which they came.
create index bank_money_state_time on causeway.bank_money (state, created_at, id);
-- The bank's answers to an order.
create index bank_status_message on causeway.bank_status (original_message, created_at);
