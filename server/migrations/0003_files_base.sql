-- Files that people upload. The bytes stand in the object store under a random name; here is what they are.

create table causeway.file (
  company_id uuid not null,
  id uuid not null,
  -- Random, says nothing of the company or the file.
  storage_name text not null unique,
  -- Exactly as the sender wrote it; only ever shown or sent as a header.
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  sha256 bytea not null,
  uploaded_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
call causeway.fence('causeway.file');
create policy signer_reads on causeway.file for select to causeway_signer using (true);
grant select, insert on causeway.file to causeway_app;
grant select on causeway.file to causeway_worker, causeway_signer, causeway_operator;
