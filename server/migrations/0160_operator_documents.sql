-- Papers that the operator keeps about a company: agreements, what the company was asked for when it was admitted. Outside tenancy; the
-- bytes are in a store of their own (OPERATOR_FILES_DIR). Append-only; the company never sees them.

create table causeway.operator_document (
  id uuid primary key,
  company_id uuid not null references causeway.company (company_id),
  kind text not null check (kind in ('agreement', 'company', 'person', 'funds', 'other')),
  -- Random, says nothing of the company or the file.
  storage_name text not null unique,
  -- As the sender wrote it; only ever shown or sent as a header.
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  sha256 bytea not null,
  operator_id uuid not null references causeway.operator_account (id),
  at timestamptz not null default now()
);
create index operator_document_company on causeway.operator_document (company_id, at desc, id desc);
create trigger append_only before update or delete or truncate on causeway.operator_document
  for each statement execute function causeway.refuse_change();
grant select, insert on causeway.operator_document to causeway_console;
