-- What the operator's pages of banks read.

-- The file of banks (BANK_REGISTRY_FILE) each time that it was another one, with what it changed. The migration program writes it.
create table causeway.bank_registry_change (
  id uuid primary key,
  at timestamptz not null default now(),
  -- SHA-256 of the file.
  digest bytea not null check (length(digest) = 32),
  -- The banks as they were read, for the next comparison.
  content jsonb not null,
  -- [{bank, currency, field, before, after}]; empty for the first file, and for one that reads the same.
  changes jsonb not null
);
create index bank_registry_change_time on causeway.bank_registry_change (at desc, id desc);
create trigger append_only before update or delete or truncate on causeway.bank_registry_change
  for each statement execute function causeway.refuse_change();
grant select on causeway.bank_registry_change to causeway_operator, causeway_console;

-- The text of a file is shown to operators.
grant select on causeway.bank_message_part to causeway_console;
create index bank_message_all_time on causeway.bank_message (received_at desc, id desc);
create index bank_statement_message on causeway.bank_statement (message_id);
create index bank_money_announced_entry on causeway.bank_money (announced_entry_id) where announced_entry_id is not null;
