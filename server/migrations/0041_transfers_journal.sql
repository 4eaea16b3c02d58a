-- The signer keeps its journal in a file of its own (docs/adr/0041-…); this table is the copy that worker and operator may
-- read. Each row is one entry of the file, with its number and hash, so that the two can be compared and either be made
-- good from the other. Rows without a number are older than the file.
alter table causeway.signer_journal
  add column seq bigint unique check (seq >= 1),
  add column entry_hash text,
  add column derivation_index bigint,
  -- The signed transaction's hash. Signatures are deterministic: it is known even where the bytes were lost.
  add column tx_hash text,
  -- The database had lost the entry, and the signer brought it back.
  add column imported boolean not null default false,
  add constraint signer_journal_linked check ((seq is null) = (entry_hash is null));
create index signer_journal_transfer on causeway.signer_journal (transfer_id);
create index signer_journal_imported on causeway.signer_journal (chain_id, seq) where imported;
grant select on causeway.signer_journal to causeway_worker;

-- Restore mode: while a row is not released, the whole installation sends nothing. The signer begins it when its journal and
-- the database disagree, the operator after every restore; only the operator releases it.
create table causeway.restore_mode (
  id bigint generated always as identity primary key,
  cause text not null check (cause in ('journal_ahead', 'database_ahead', 'journal_differs', 'journal_rebuilt', 'operator')),
  reason text not null,
  begun_by text not null,
  begun_at timestamptz not null default now(),
  released_at timestamptz,
  released_by text,
  release_reason text,
  check ((released_at is null) = (released_by is null)),
  check ((released_at is null) = (release_reason is null))
);
create unique index restore_mode_held on causeway.restore_mode ((true)) where released_at is null;
grant select on causeway.restore_mode to causeway_app, causeway_worker;
grant select, insert on causeway.restore_mode to causeway_signer, causeway_operator;
grant update (released_at, released_by, release_reason) on causeway.restore_mode to causeway_operator;

-- What the signer said last of its journal: one row.
create table causeway.signer_state (
  one boolean primary key default true check (one),
  journal_seq bigint not null,
  journal_hash text not null,
  -- Whether journal and database hold the same entries; the sentence says what is wrong when they do not.
  agrees boolean not null,
  finding text not null,
  checked_at timestamptz not null default now()
);
grant select on causeway.signer_state to causeway_worker, causeway_operator;
grant select, insert, update on causeway.signer_state to causeway_signer;

-- A payment that was signed before the database was put back: its hash is known from the journal, its bytes are not at hand
-- until the signer gives them again.
alter table causeway.chain_send drop constraint chain_send_check;
alter table causeway.chain_send add constraint chain_send_signed check (raw is null or hash is not null);
