-- What operators write about companies, and which of them they looked at. Outside tenancy: only the console's role has a right to it.

-- Notes of the operator's people about a company, append-only; the company never sees them.
create table causeway.operator_note (
  id uuid primary key,
  company_id uuid not null references causeway.company (company_id),
  operator_id uuid not null references causeway.operator_account (id),
  at timestamptz not null default now(),
  text text not null
);
create index operator_note_company on causeway.operator_note (company_id, at desc, id desc);
create trigger append_only before update or delete or truncate on causeway.operator_note
  for each statement execute function causeway.refuse_change();
grant select, insert on causeway.operator_note to causeway_console;

-- A look is in the operator's audit log once for each operator, company and hour; this says for which it is there already.
create table causeway.operator_look (
  operator_id uuid not null references causeway.operator_account (id),
  company_id uuid not null references causeway.company (company_id),
  hour timestamptz not null,
  primary key (operator_id, company_id, hour)
);
grant select, insert on causeway.operator_look to causeway_console;

-- Invitations are made and revoked in the console as on the command line. The hash is written and never read.
create policy console_writes on causeway.invitation for insert to causeway_console with check (used_at is null and revoked_at is null);
create policy console_revokes on causeway.invitation for update to causeway_console using (used_at is null) with check (used_at is null);
grant insert (id, code_sha256, label, expires_at), update (revoked_at) on causeway.invitation to causeway_console;

-- The list of companies by name, and the search by a member's address or a company's address on a chain.
create index company_name on causeway.company (name, company_id);
create index member_email on causeway.member (lower(email));
create index chain_address_any on causeway.chain_address (lower(address));
