-- What banks send: files as they came, what was read in them, and the moneys that they are about. A collecting account holds money of
-- many companies, so none of this belongs to one; which company a money was credited to is in bank_credit, inside that company's fence.

-- How the worker finds the connection to a bank. No problem: null.
create table causeway.bank_connection_state (
  bank_id text primary key references causeway.bank (id),
  checked_at timestamptz not null default now(),
  problem text check (problem in ('unreachable', 'hostKeyChanged', 'signInRefused', 'folderMissing', 'fileTooLarge', 'brokenOff', 'notMoved')),
  problem_since timestamptz,
  -- The bank's or the library's own words, or the name of the file.
  detail text,
  last_file_at timestamptz,
  check ((problem is null) = (problem_since is null))
);

create table causeway.bank_message (
  id uuid primary key,
  bank_id text not null references causeway.bank (id),
  -- The file's name at the bank, or where an operator had it.
  name text not null check (name <> '' and length(name) <= 512),
  sha256 bytea not null check (length(sha256) = 32),
  bytes bigint not null check (bytes >= 0),
  source text not null check (source in ('files', 'hand')),
  -- received: stored, not read yet. read: everything that it says is in the tables. refused: it cannot be read, nothing of it was used.
  -- copy: the same content under another name, or a statement that was read already.
  state text not null default 'received' check (state in ('received', 'read', 'refused', 'copy')),
  -- camt.053, camt.054, pain.002; null until it was read.
  kind text,
  -- MsgId.
  message_reference text,
  -- Why it was refused: the id of a sentence, and its blanks.
  problem text,
  problem_blanks jsonb,
  received_at timestamptz not null default now(),
  read_at timestamptz
);
-- The same content is one message, whatever its name.
create unique index bank_message_content on causeway.bank_message (bank_id, sha256) where state <> 'copy';
create index bank_message_waiting on causeway.bank_message (received_at, id) where state = 'received';
create index bank_message_refused on causeway.bank_message (received_at, id) where state = 'refused';
create index bank_message_time on causeway.bank_message (bank_id, received_at desc, id desc);

-- The bytes as they came, in pieces, so that neither writing nor reading holds a whole file in memory.
create table causeway.bank_message_part (
  -- The message is written after its parts, when its hash is known.
  message_id uuid not null references causeway.bank_message (id) deferrable initially deferred,
  number integer not null check (number >= 0),
  content bytea not null,
  primary key (message_id, number)
);

-- An account of the installation at a bank: what statements are about. Its id owns accounts in the installation's own books.
create table causeway.bank_collection (
  id uuid primary key,
  bank_id text not null,
  asset_id text not null,
  -- IBAN or the bank's own number, without spaces.
  number text not null check (number ~ '^[A-Z0-9]{4,34}$'),
  created_at timestamptz not null default now(),
  unique (bank_id, asset_id, number),
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);

-- A statement (camt.053) or a notification (camt.054) for one account.
create table causeway.bank_statement (
  id uuid primary key,
  message_id uuid not null references causeway.bank_message (id),
  collection_id uuid not null references causeway.bank_collection (id),
  kind text not null check (kind in ('statement', 'notification')),
  -- The bank's own id of it, and the page where it was split.
  reference text not null,
  page text not null default '',
  sequence text,
  -- Minor units, signed; null where the bank gave none.
  opening numeric(78, 0),
  opened_on date,
  closing numeric(78, 0),
  closed_on date,
  -- Booked entries, credits less debits, and how many.
  total numeric(78, 0) not null,
  entries integer not null,
  -- The bank sent it again under another id.
  copy_of uuid references causeway.bank_statement (id),
  created_at timestamptz not null default now(),
  unique (collection_id, kind, reference, page)
);
create index bank_statement_days on causeway.bank_statement (collection_id, closed_on, id) where kind = 'statement';

create table causeway.bank_balance (
  statement_id uuid not null references causeway.bank_statement (id),
  number integer not null,
  -- OPBD, CLBD, ITBD …
  type text not null,
  amount numeric(78, 0) not null,
  day date not null,
  primary key (statement_id, number)
);

-- One booked entry of a statement or notification, as it is there.
create table causeway.bank_entry (
  id uuid primary key,
  statement_id uuid not null references causeway.bank_statement (id),
  number integer not null,
  -- Minor units: positive came in.
  amount numeric(78, 0) not null,
  booked_on date,
  value_on date,
  -- AcctSvcrRef.
  reference text,
  is_reversal boolean not null,
  -- The bank's code, as PMNT-RCDT-ESCT.
  code text,
  details integer not null,
  -- Another statement or notification of the same kind had every money of it.
  is_repeat boolean not null default false,
  -- Null: its moneys come to its amount. Otherwise what is between them, minor units.
  unexplained numeric(78, 0),
  unique (statement_id, number)
);
create index bank_entry_unexplained on causeway.bank_entry (id) where unexplained is not null;

-- One money: announced by a notification, booked by a statement, alone or in a batch, and the same money in all of them.
create table causeway.bank_money (
  id uuid primary key,
  collection_id uuid not null references causeway.bank_collection (id),
  -- Minor units: positive came in.
  amount numeric(78, 0) not null check (amount <> 0),
  booked_on date,
  value_on date,
  announced_entry_id uuid references causeway.bank_entry (id),
  booked_entry_id uuid references causeway.bank_entry (id),
  -- The bank's own reference of this money, and of the entry it is a part of.
  reference text,
  other_reference text,
  entry_reference text,
  transaction_reference text,
  end_to_end text,
  uetr text,
  -- What stands for a reference where the bank gives none: what the payer wrote.
  said text not null,
  is_reversal boolean not null,
  -- A batch whose parts the bank has not said.
  is_undetailed boolean not null default false,
  payer_name text,
  payer_account text,
  payer_bank text,
  -- Into which account it was paid, where the bank says it.
  creditor_account text,
  -- ISO 11649 references that the payer gave in the field for it.
  creditor_references text[] not null default '{}',
  remittance text not null default '',
  return_reason text,
  -- new: not posted yet. credited: a company's. suspense: held and owed, whose it is is not known. charged: taken by the bank, from no
  -- company. reversal: took a money back. returned: was in suspense and was taken back. detailed: a batch whose parts are moneys of their own by now.
  state text not null default 'new' check (state in ('new', 'credited', 'suspense', 'charged', 'reversal', 'returned', 'detailed')),
  -- How it was matched: by account, reference, text, notice.
  matched_by text,
  -- Why it was not: nothing, several, undetailed, reversal, wallet. again: the bank has said more since, and it is looked at again.
  unmatched text,
  -- What an operator may look at: [{companyId, walletId, why, value}].
  suggestions jsonb not null default '[]',
  -- The money that it took back, and by which it was taken back.
  reverses_id uuid references causeway.bank_money (id),
  reversed_by_id uuid references causeway.bank_money (id),
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index bank_money_new on causeway.bank_money (id) where state = 'new' or unmatched = 'again';
create index bank_money_suspense on causeway.bank_money (created_at, id) where state in ('suspense', 'charged');
create index bank_money_group on causeway.bank_money (collection_id, entry_reference) where entry_reference is not null;
create index bank_money_announced on causeway.bank_money (collection_id, booked_on, amount) where booked_entry_id is null;
create index bank_money_unannounced on causeway.bank_money (collection_id, booked_on, amount) where announced_entry_id is null;
create index bank_money_booked on causeway.bank_money (booked_entry_id);
create index bank_money_payer on causeway.bank_money (payer_account) where state = 'credited';
create index bank_money_amount on causeway.bank_money (collection_id, amount, created_at);

-- By which names a money is known again.
create index bank_money_reference on causeway.bank_money (collection_id, reference) where reference is not null;
create index bank_money_other_reference on causeway.bank_money (collection_id, other_reference) where other_reference is not null;
create index bank_money_transaction on causeway.bank_money (collection_id, transaction_reference) where transaction_reference is not null;
create index bank_money_uetr on causeway.bank_money (collection_id, uetr) where uetr is not null;

grant select on causeway.bank_connection_state, causeway.bank_message, causeway.bank_collection, causeway.bank_statement, causeway.bank_balance,
  causeway.bank_entry, causeway.bank_money, causeway.bank_message_part to causeway_worker, causeway_operator;
grant select on causeway.bank_connection_state, causeway.bank_message, causeway.bank_collection, causeway.bank_statement, causeway.bank_balance,
  causeway.bank_entry, causeway.bank_money to causeway_console;
grant insert on causeway.bank_connection_state, causeway.bank_message, causeway.bank_message_part, causeway.bank_collection, causeway.bank_statement,
  causeway.bank_balance, causeway.bank_entry, causeway.bank_money to causeway_worker;
grant update on causeway.bank_connection_state to causeway_worker;
grant update (state, kind, message_reference, problem, problem_blanks, read_at) on causeway.bank_message to causeway_worker;
grant update (opening, opened_on, closing, closed_on, total, entries, copy_of) on causeway.bank_statement to causeway_worker;
grant update (booked_on, value_on, announced_entry_id, booked_entry_id, reference, other_reference, entry_reference, transaction_reference, uetr, payer_name, payer_account,
  payer_bank, creditor_account, creditor_references, remittance, state, matched_by, unmatched, suggestions, reverses_id, reversed_by_id, settled_at)
  on causeway.bank_money to causeway_worker;
-- The command line takes a file in by hand: it stores, and the worker reads.
grant insert on causeway.bank_message, causeway.bank_message_part to causeway_operator;
