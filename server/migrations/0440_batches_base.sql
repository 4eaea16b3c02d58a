-- Batches of payouts (docs/adr/0095-…): many payments from a file or a grid, checked row by row, submitted with one code and one approval. Each
-- row is a transaction of its own. (The batches of ADR 63, and their role, are another thing: submissions that share a database transaction.)

create table causeway.payout_batch (
  company_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- Where its rows came from: a file that is kept as it was, or rows typed and pasted.
  source text not null check (source in ('csv', 'pain001', 'typed', 'template')),
  file_id uuid,
  -- SHA-256 of the file's bytes.
  file_hash bytea check (length(file_hash) = 32),
  -- Which column of the file, counted from 0, is which field: {"amount": 3, …}.
  mapping jsonb not null default '{}',
  -- Moves with every change of its rows: an edit names the version that it saw, a submission the version that was checked.
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  created_by uuid not null,
  discarded_at timestamptz,
  primary key (company_id, id),
  check ((source in ('csv', 'pain001')) = (file_id is not null)),
  check ((file_id is null) = (file_hash is null)),
  foreign key (company_id, created_by) references causeway.member (company_id, id)
);
call causeway.fence('causeway.payout_batch');

create table causeway.payout_batch_row (
  company_id uuid not null,
  batch_id uuid not null,
  -- The row's own id: stays the same when it is mended or sent again.
  id uuid not null,
  -- Its place, from 1; of a file, the order of its records.
  number integer not null check (number between 1 and 5000),
  -- What was written, by field, as text: {"payee": "…", "amount": "1,000.00", "coin": "USDT", …}. Mending changes it.
  written jsonb not null,
  -- What that means; null while it means nothing (its problems say why). Amount in minor units of the wallet's asset.
  wallet_id uuid,
  payee_id uuid,
  -- The version of the payee's bank account that was meant; null on a chain.
  version_id uuid,
  amount numeric(78, 0) check (amount > 0),
  -- Of a payment: {"notes", "invoiceNumber", "category", "feeLevel", "charges", "purpose", "remittance"}, those that were given.
  terms jsonb not null default '{}',
  -- [{"column", "key", "blanks", "severity": "error" | "warning"}], of reading; what balances, risk and approvals say is asked anew each time.
  problems jsonb not null default '[]',
  -- Warnings that a person has looked at and let pass: their keys.
  accepted text[] not null default '{}',
  primary key (company_id, batch_id, id),
  unique (company_id, batch_id, number) deferrable initially deferred,
  unique (company_id, id),
  foreign key (company_id, batch_id) references causeway.payout_batch (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.payout_batch_row');

-- One submission of a batch: all its rows the first time, those that failed after that. What one code and one approval are bound to.
create table causeway.payout_batch_run (
  company_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  number integer not null check (number > 0),
  -- SHA-256 over the file's hash and every row's id, transaction and content.
  digest bytea not null check (length(digest) = 32),
  initiator_id uuid not null,
  row_count integer not null check (row_count > 0),
  value_usd_cents numeric(78, 0) not null check (value_usd_cents >= 0),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, batch_id, number),
  foreign key (company_id, batch_id) references causeway.payout_batch (company_id, id),
  foreign key (company_id, initiator_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.payout_batch_run');
create trigger append_only before update or delete or truncate on causeway.payout_batch_run
  for each statement execute function causeway.refuse_change();

-- A row in a run: the transaction that pays it.
create table causeway.payout_batch_entry (
  company_id uuid not null,
  run_id uuid not null,
  row_id uuid not null,
  transaction_id uuid not null,
  -- Its place in the run, from 1: the order in which risk and limits judged it, and in which the digest has it.
  position integer not null check (position between 1 and 5000),
  -- What an approver should look at, as it was found when it was submitted: [{"kind", "blanks"}], the most important first.
  findings jsonb not null default '[]',
  -- The place of the first finding's kind among all kinds; 99: none. Those to look at are listed first.
  rank smallint not null default 99,
  primary key (company_id, run_id, row_id),
  unique (company_id, run_id, position),
  unique (company_id, transaction_id),
  foreign key (company_id, run_id) references causeway.payout_batch_run (company_id, id),
  foreign key (company_id, row_id) references causeway.payout_batch_row (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.payout_batch_entry');
create index payout_batch_entry_ranked on causeway.payout_batch_entry (company_id, run_id, rank, position);
create index payout_batch_entry_row on causeway.payout_batch_entry (company_id, row_id);
create trigger append_only before update or delete or truncate on causeway.payout_batch_entry
  for each statement execute function causeway.refuse_change();

grant select, insert on causeway.payout_batch, causeway.payout_batch_row, causeway.payout_batch_run, causeway.payout_batch_entry to causeway_app;
grant update (name, mapping, version, discarded_at) on causeway.payout_batch to causeway_app;
grant update (number, written, wallet_id, payee_id, version_id, amount, terms, problems, accepted), delete on causeway.payout_batch_row to causeway_app;
grant select on causeway.payout_batch, causeway.payout_batch_row, causeway.payout_batch_run, causeway.payout_batch_entry
  to causeway_worker, causeway_operator, causeway_console;
