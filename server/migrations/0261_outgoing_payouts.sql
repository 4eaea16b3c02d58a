-- Payments out of a bank: what was ordered, the bank's orders in files, and what the bank said of them.

alter table causeway.bank_asset
  -- Of a payment by a country's own clearing, and by SWIFT; minor units. The operator's prices come before them.
  add column payout_fee_local numeric(78, 0) not null default 0 check (payout_fee_local >= 0),
  add column payout_fee_swift numeric(78, 0) not null default 0 check (payout_fee_swift >= 0),
  -- The least that is paid out; null: the currency's own.
  add column payout_minimum numeric(78, 0) check (payout_minimum > 0),
  add column payouts_paused boolean not null default false;

-- In which name the installation has its accounts at the bank: who pays, in its messages.
alter table causeway.bank add column account_holder text not null default 'Client Money';

alter table causeway.bank_connection_state drop constraint bank_connection_state_problem_check;
alter table causeway.bank_connection_state add constraint bank_connection_state_problem_check check (problem in
  ('unreachable', 'hostKeyChanged', 'signInRefused', 'folderMissing', 'fileTooLarge', 'brokenOff', 'notMoved', 'notWritten'));

-- A payment as it was submitted. The order to the bank is made of `terms` alone, which code, approvals and seal are bound to.
create table causeway.payout (
  company_id uuid not null,
  transaction_id uuid not null,
  form text not null check (form in ('transfer', 'payment')),
  bank_id text not null,
  asset_id text not null,
  version_id uuid not null,
  -- JSON in one fixed form (outgoing/bank-terms.ts).
  terms text not null,
  -- How every bank on the way names it (ISO 20022, SWIFT gpi).
  uetr uuid not null unique,
  expected_from date not null,
  expected_to date not null,
  -- The payee's account counted as changed then, and which it had before.
  changed_until timestamptz,
  before_version_id uuid,
  -- What the payee's bank had said of the name by then.
  verification text check (verification in ('match', 'close', 'none', 'impossible')),
  verified_name text,
  -- The order that has it: message and file.
  message_id text,
  file_name text,
  primary key (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred,
  foreign key (company_id, version_id) references causeway.bank_payee_version (company_id, id),
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);
call causeway.fence('causeway.payout');
call causeway.admit_batches('causeway.payout', 'insert');
-- What a submission looks at.
call causeway.admit_batches('causeway.bank_payee', 'select');
call causeway.admit_batches('causeway.bank_payee_version', 'select');
call causeway.admit_batches('causeway.bank_account', 'select');
grant select on causeway.bank, causeway.bank_asset to causeway_batch;
grant select (changed_payee_days) on causeway.company_setting to causeway_batch;
grant select, insert on causeway.payout to causeway_app;
grant select on causeway.payout to causeway_worker, causeway_operator, causeway_console;
grant update (message_id, file_name) on causeway.payout to causeway_worker;
create index payout_version on causeway.payout (company_id, version_id);

-- What the bank said of a payment, in its own words.
create table causeway.payout_answer (
  company_id uuid not null,
  transaction_id uuid not null,
  number integer not null check (number > 0),
  -- Of ISO 20022's external lists, as ACSP and AC04.
  status text,
  reason text,
  words text,
  at timestamptz not null default now(),
  primary key (company_id, transaction_id, number),
  foreign key (company_id, transaction_id) references causeway.payout (company_id, transaction_id)
);
call causeway.fence('causeway.payout_answer');
grant select on causeway.payout_answer to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.payout_answer to causeway_worker;

-- Which money of a bank a payment is: paid, or sent back later.
create table causeway.payout_money (
  company_id uuid not null,
  transaction_id uuid not null,
  kind text not null check (kind in ('paid', 'returned')),
  money_id uuid not null unique references causeway.bank_money (id),
  created_at timestamptz not null default now(),
  primary key (company_id, transaction_id, kind),
  foreign key (company_id, transaction_id) references causeway.payout (company_id, transaction_id)
);
call causeway.fence('causeway.payout_money');
grant select on causeway.payout_money to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.payout_money to causeway_worker;

-- An order to a bank: one message with many payments. Its bytes are made once and sent as they are, however often it is tried.
create table causeway.bank_order (
  id uuid primary key,
  bank_id text not null,
  asset_id text not null,
  -- MsgId; the file is named after it.
  message_id text not null unique check (length(message_id) between 1 and 35),
  file_name text not null,
  content bytea not null,
  payments integer not null check (payments > 0),
  -- Sum, minor units.
  total numeric(78, 0) not null check (total > 0),
  -- made: stored. uploading: its file is being written under an unfinished name. uploaded: it is whole there, and is being given its name.
  -- delivered: the bank has it. refused: the bank took none of it.
  state text not null default 'made' check (state in ('made', 'uploading', 'uploaded', 'delivered', 'refused')),
  made_at timestamptz not null default now(),
  delivered_at timestamptz,
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);
create index bank_order_open on causeway.bank_order (bank_id, made_at, id) where state in ('made', 'uploading', 'uploaded');
create index bank_order_time on causeway.bank_order (bank_id, made_at desc, id desc);

-- One payment on its way to a bank. The worker reads those of all companies: an order has many.
create table causeway.bank_order_line (
  transaction_id uuid primary key,
  company_id uuid not null,
  wallet_id uuid not null,
  bank_id text not null,
  asset_id text not null,
  amount numeric(78, 0) not null check (amount > 0),
  uetr uuid not null unique,
  -- InstrId and EndToEndId.
  end_to_end text not null unique check (length(end_to_end) between 1 and 35),
  -- SEPA, URGP or NURG (ISO 20022, "ServiceLevel"): an order has payments of one.
  service_level text not null,
  -- As `PaymentInstruction` (banks/messages/pain001.ts), without its ids and amount.
  instruction jsonb not null,
  order_id uuid references causeway.bank_order (id),
  -- waiting: for the next order. ordered: in one. accepted: by the bank. settled: booked there. refused: by the bank. returned: sent back later.
  state text not null default 'waiting' check (state in ('waiting', 'ordered', 'accepted', 'settled', 'refused', 'returned')),
  created_at timestamptz not null default now(),
  check ((state = 'waiting') = (order_id is null)),
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);
call causeway.fence('causeway.bank_order_line');
create policy worker on causeway.bank_order_line to causeway_worker using (true) with check (true);
create policy lookup on causeway.bank_order_line for select to causeway_lookup using (true);
create index bank_order_line_waiting on causeway.bank_order_line (bank_id, asset_id, service_level, created_at, transaction_id) where state = 'waiting';
create index bank_order_line_order on causeway.bank_order_line (order_id);
create index bank_order_line_open on causeway.bank_order_line (created_at) where state in ('waiting', 'ordered', 'accepted');

-- What a bank said of an order or of a payment in it (pain.002), as it was read.
create table causeway.bank_status (
  id uuid primary key,
  source_id uuid not null references causeway.bank_message (id),
  number integer not null check (number > 0),
  -- message: of a whole order. payment: of one payment.
  level text not null check (level in ('message', 'payment')),
  original_message text not null,
  instruction text,
  end_to_end text,
  uetr uuid,
  -- received, accepted, settled, pending, partly, rejected, cancelled, other: what the code means.
  state text,
  status text,
  reason text,
  words text,
  reference text,
  created_at timestamptz not null default now(),
  -- applied: it is in the payment's history. unknown: of nothing of ours. repeated: of what the bank had had before.
  outcome text check (outcome in ('applied', 'unknown', 'repeated')),
  unique (source_id, number)
);
create index bank_status_new on causeway.bank_status (id) where outcome is null;
create index bank_status_unknown on causeway.bank_status (created_at, id) where outcome = 'unknown';

grant select on causeway.bank_order, causeway.bank_order_line, causeway.bank_status to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.bank_order, causeway.bank_order_line, causeway.bank_status to causeway_worker;
grant update (state, delivered_at) on causeway.bank_order to causeway_worker;
grant update (order_id, state) on causeway.bank_order_line to causeway_worker;
grant update (outcome) on causeway.bank_status to causeway_worker;

-- An order keeps its payments. What was booked is booked, also where the bank had refused it before.
create function causeway.keep_order_line() returns trigger language plpgsql as $$
begin
  if old.order_id is not null and new.order_id is distinct from old.order_id then
    raise exception 'payment % is in order %', old.transaction_id, old.order_id;
  end if;
  if not ((old.state, new.state) in (('waiting', 'ordered'), ('ordered', 'accepted'), ('ordered', 'settled'), ('ordered', 'refused'),
    ('accepted', 'settled'), ('accepted', 'refused'), ('refused', 'settled'), ('settled', 'returned')) or old.state = new.state) then
    raise exception 'payment % is %, not to be %', old.transaction_id, old.state, new.state;
  end if;
  return new;
end $$;
create trigger kept before update on causeway.bank_order_line for each row execute function causeway.keep_order_line();

grant update (bank_reference, value_date) on causeway.transaction to causeway_worker;

-- paid: a payment of a company's that the bank made. sentBack: what came back of one.
alter table causeway.bank_money drop constraint bank_money_state_check;
alter table causeway.bank_money add constraint bank_money_state_check check (state in
  ('new', 'credited', 'suspense', 'charged', 'reversal', 'returned', 'detailed', 'paid', 'sentBack'));

-- Payments of a bank that wait for an order and may leave: neither the wallet nor the company is frozen. In the order in which they came.
grant create on schema causeway to causeway_lookup;
grant select (transaction_id, company_id, wallet_id, bank_id, asset_id, service_level, state, created_at) on causeway.bank_order_line to causeway_lookup;
create function causeway.bank_orders_ready(p_bank text, p_asset text, p_level text, p_most integer) returns setof uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select l.transaction_id from bank_order_line l
  where l.bank_id = p_bank and l.asset_id = p_asset and l.service_level = p_level and l.state = 'waiting'
    and not exists (select from wallet w where w.company_id = l.company_id and w.id = l.wallet_id and w.frozen_at is not null)
    and not exists (select from company c where c.company_id = l.company_id and c.frozen_at is not null)
  order by l.created_at, l.transaction_id limit p_most
$$;
alter function causeway.bank_orders_ready owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.bank_orders_ready from public;
grant execute on function causeway.bank_orders_ready to causeway_worker;
