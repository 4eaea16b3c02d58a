-- Banks that are reached by an HTTP API: accounts that they open, deposits as they report them, events that they send, balances that they state.

-- It gives the numbers of companies' accounts itself, when it is asked to open one.
alter table causeway.bank add column opens_accounts boolean not null default false;

alter table causeway.bank_account
  -- The bank's own id of an account that it opened, and the institution that keeps it where that is not the bank.
  add column given_id text check (length(given_id) between 1 and 100),
  add column bank_name text check (bank_name <> ''),
  add column bank_address text check (bank_address <> ''),
  add column bic text check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  add column clearing_code text check (clearing_code <> ''),
  add unique (bank_id, given_id);

-- Where companies get an account: the currency and its bank are on, and the bank opens it or has numbers left.
create or replace view causeway.bank_asset_open with (security_invoker = true) as
  select ba.bank_id, ba.asset_id, b.opens_accounts from causeway.bank_asset ba
  join causeway.bank b on b.id = ba.bank_id left join causeway.bank_account_range r on r.bank_id = ba.bank_id
  where ba.enabled and b.enabled and (b.opens_accounts or (r.open and r.next_number < 10::numeric ^ r.digits));

alter table causeway.bank_message drop constraint bank_message_source_check;
alter table causeway.bank_message add constraint bank_message_source_check check (source in ('files', 'hand', 'api'));

-- A deposit as the bank last reported it and as it was stored: what is asked again, and from when on.
create table causeway.bank_deposit (
  bank_id text not null references causeway.bank (id),
  id text not null check (length(id) between 1 and 100),
  -- The bank's own: PENDING, SETTLED, REJECTED, REVERSED.
  status text not null check (length(status) between 1 and 40),
  -- When it began, by the bank's clock.
  begun_at timestamptz not null,
  asked_at timestamptz not null default now(),
  -- While it is on its way: to which account, in which currency, minor units.
  account_number text,
  asset_id text,
  amount numeric(78, 0),
  primary key (bank_id, id)
);
create index bank_deposit_begun on causeway.bank_deposit (bank_id, begun_at);
create index bank_deposit_pending on causeway.bank_deposit (bank_id, asked_at) where status = 'PENDING';
create index bank_deposit_arriving on causeway.bank_deposit (account_number, bank_id, asset_id) where status = 'PENDING';

-- Events that a bank sent and signed. None of them posts anything: the worker asks the bank about what they name.
create table causeway.bank_event (
  bank_id text not null references causeway.bank (id),
  id text not null check (length(id) between 1 and 100),
  name text not null check (length(name) between 1 and 100),
  -- What it is about, as a deposit or a transfer.
  object_id text check (length(object_id) between 1 and 100),
  body bytea not null check (length(body) <= 65536),
  received_at timestamptz not null default now(),
  -- When the bank was asked about it.
  asked_at timestamptz,
  primary key (bank_id, id)
);
create index bank_event_waiting on causeway.bank_event (bank_id, name, received_at) where asked_at is null;

-- What the bank says that there is, at a moment at which every deposit that it reported had been stored.
create table causeway.bank_stated (
  bank_id text not null,
  asset_id text not null,
  -- Minor units.
  amount numeric(78, 0) not null,
  stated_at timestamptz not null default now(),
  primary key (bank_id, asset_id),
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);

grant select on causeway.bank_deposit, causeway.bank_stated to causeway_worker, causeway_operator, causeway_console;
grant select (bank_id, id, name, object_id, received_at, asked_at) on causeway.bank_event to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.bank_deposit, causeway.bank_stated to causeway_worker;
grant update (status, asked_at, account_number, asset_id, amount) on causeway.bank_deposit to causeway_worker;
grant update (amount, stated_at) on causeway.bank_stated to causeway_worker;
grant update (asked_at) on causeway.bank_event to causeway_worker;
grant insert (bank_id, id, name, object_id, body) on causeway.bank_event to causeway_app;
-- For `on conflict`.
grant select (bank_id, id) on causeway.bank_event to causeway_app;

-- What is on its way to the current company's accounts, as their banks report it: in no balance and in no posting.
grant create on schema causeway to causeway_lookup;
grant select (bank_id, asset_id, status, account_number, amount) on causeway.bank_deposit to causeway_lookup;
create function causeway.bank_arriving() returns table (bank_id text, asset_id text, amount numeric)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select d.bank_id, d.asset_id, sum(d.amount) from bank_account a
  join bank_deposit d on d.account_number = a.account_number and d.bank_id = a.bank_id and d.asset_id = a.asset_id and d.status = 'PENDING'
  where a.company_id = company_id() group by d.bank_id, d.asset_id
$$;
alter function causeway.bank_arriving owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.bank_arriving from public;
grant execute on function causeway.bank_arriving to causeway_app, causeway_worker, causeway_look;
