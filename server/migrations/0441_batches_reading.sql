-- How a batch's file was read (docs/adr/0095-…), and where reading is.

alter table causeway.payout_batch
  -- Of a CSV file: how its bytes were decoded, and what separates its columns.
  add column encoding text check (encoding in ('utf-8', 'utf-16le', 'utf-16be', 'big5', 'gb18030')),
  add column delimiter text check (length(delimiter) = 1),
  -- How it begins: {"columns": [{"name", "samples"}], "encodings": those in which it can be read, "sure": whether one is plausible alone}.
  add column header jsonb,
  -- The first rows have been given their meaning, up to this number: a large file is read in parts.
  add column read_to integer not null default 0 check (read_to >= 0),
  add column file_name text check (length(file_name) between 1 and 255),
  add foreign key (company_id, file_id) references causeway.file (company_id, id);
create index payout_batch_of_file on causeway.payout_batch (company_id, file_id) where file_id is not null;
create index payout_batch_made on causeway.payout_batch (company_id, created_at, id);

-- The file of a batch is stored as attachments are.
alter table causeway.file drop constraint file_type_check,
  add constraint file_type_check check (type in ('application/pdf', 'image/png', 'image/jpeg', 'text/csv', 'application/xml'));

-- The mapping that a company last used for files with these columns.
create table causeway.payout_batch_mapping (
  company_id uuid not null,
  -- SHA-256 over the names of the columns in their order.
  header_hash bytea not null check (length(header_hash) = 32),
  mapping jsonb not null,
  used_at timestamptz not null default now(),
  primary key (company_id, header_hash)
);
call causeway.fence('causeway.payout_batch_mapping');

grant select, insert, update (mapping, used_at) on causeway.payout_batch_mapping to causeway_app;
grant update (encoding, delimiter, header, read_to) on causeway.payout_batch to causeway_app;
