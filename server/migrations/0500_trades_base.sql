-- Guaranteed trades of an external platform (docs/adr/0101-…). Each company that is a side of a trade has its own copy of it and of its events.

create table causeway.trade (
  company_id uuid not null,
  -- The platform's.
  id uuid not null,
  side text not null check (side in ('buyer', 'seller')),
  -- Of the latest event that was taken in.
  version integer not null check (version > 0),
  number text not null check (length(number) between 1 and 100),
  -- As the platform says.
  status text not null check (status in ('created', 'in_progress', 'success', 'cancelled')),
  phase text not null check (phase in ('agreed', 'shipped', 'inspected', 'disputed', 'closed')),
  -- What the company has done: of a seller, always 'open'.
  state text not null default 'open' check (state in ('open', 'waiting_approval', 'frozen', 'declined', 'cancelled')),
  chain_id text not null references causeway.chain (id),
  asset_id text not null references causeway.asset (id),
  quantity numeric(78, 0) not null check (quantity > 0),
  -- What the buyer gets back, in all.
  refunded numeric(78, 0) not null default 0 check (refunded >= 0 and refunded <= quantity),
  -- In the escrow account of the paying wallet.
  frozen numeric(78, 0) not null default 0 check (frozen >= 0 and frozen <= quantity),
  payer_name text not null,
  payer_address text not null,
  payer_wallet text not null,
  payee_name text not null,
  payee_address text not null,
  payee_wallet text not null,
  bill_of_lading text,
  act_by timestamptz,
  -- [{"id", "name", "amount" in minor units, "reached"}]
  milestones jsonb not null default '[]',
  -- [{"name", "url", "sha256"}]
  documents jsonb not null default '[]',
  -- What an event said that contradicts what was confirmed: {"fields", "version", "at"}.
  contradiction jsonb,
  -- The confirmation that counts.
  confirmation_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  check (side = 'buyer' or (state = 'open' and frozen = 0)),
  check (state in ('waiting_approval', 'frozen') or frozen = 0),
  check ((state in ('waiting_approval', 'frozen')) <= (confirmation_id is not null))
);
call causeway.fence('causeway.trade');
create index trade_changed on causeway.trade (company_id, updated_at desc, id desc);

-- Every event of the platform, as it arrived. One with a gap before it waits.
create table causeway.trade_event (
  company_id uuid not null,
  trade_id uuid not null,
  version integer not null check (version > 0),
  -- Its `webhook-id`.
  message_id text not null check (length(message_id) between 1 and 200),
  body text not null,
  outcome text not null default 'waiting' check (outcome in ('waiting', 'applied', 'contradicted')),
  received_at timestamptz not null default clock_timestamp(),
  primary key (company_id, trade_id, version)
);
call causeway.fence('causeway.trade_event');

create table causeway.trade_confirmation (
  company_id uuid not null,
  id uuid not null,
  trade_id uuid not null,
  -- SHA-256 of what was confirmed.
  digest bytea not null check (length(digest) = 32),
  wallet_id uuid not null,
  initiator_id uuid not null,
  initiator_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, trade_id) references causeway.trade (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, initiator_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.trade_confirmation');
create trigger append_only before update or delete or truncate on causeway.trade_confirmation
  for each statement execute function causeway.refuse_change();
alter table causeway.trade add foreign key (company_id, confirmation_id) references causeway.trade_confirmation (company_id, id)
  deferrable initially deferred;

-- The timeline; each posting of a trade has the id of a line as its source.
create table causeway.trade_line (
  company_id uuid not null,
  id uuid not null,
  trade_id uuid not null,
  step text not null check (step in ('announced', 'updated', 'contradicted', 'submitted', 'frozen', 'refused', 'withdrawn', 'declined', 'released',
    'returned', 'disputed', 'cancelled')),
  at timestamptz not null default clock_timestamp(),
  -- A person's name; null: the platform, or the program.
  by_name text,
  amount numeric(78, 0) check (amount > 0),
  phase text,
  note text not null default '',
  version integer,
  primary key (company_id, id),
  foreign key (company_id, trade_id) references causeway.trade (company_id, id)
);
call causeway.fence('causeway.trade_line');
create index trade_line_of on causeway.trade_line (company_id, trade_id, at, id);
create trigger append_only before update or delete or truncate on causeway.trade_line
  for each statement execute function causeway.refuse_change();

-- Payments to the seller: each a transfer of its own.
create table causeway.trade_release (
  company_id uuid not null,
  transaction_id uuid not null,
  trade_id uuid not null,
  milestone_id text,
  amount numeric(78, 0) not null check (amount > 0),
  -- What of it came out of escrow; the rest had come back from a payment that failed.
  from_escrow numeric(78, 0) not null check (from_escrow >= 0 and from_escrow <= amount),
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, transaction_id),
  foreign key (company_id, trade_id) references causeway.trade (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.trade_release');
create index trade_release_of on causeway.trade_release (company_id, trade_id);
create trigger append_only before update or delete or truncate on causeway.trade_release
  for each statement execute function causeway.refuse_change();

-- What goes back to the platform. Of each trade one after another.
create table causeway.trade_message (
  company_id uuid not null,
  id uuid not null,
  trade_id uuid not null,
  number integer not null check (number > 0),
  type text not null check (type in ('trade.confirmed', 'trade.declined', 'trade.released', 'trade.disputed')),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_at timestamptz default clock_timestamp(),
  -- The worker that sends it holds it until then.
  lease_id uuid,
  lease_until timestamptz,
  delivered_at timestamptz,
  problem text,
  primary key (company_id, id),
  unique (company_id, trade_id, number),
  check ((delivered_at is null) = (next_at is not null)),
  check ((lease_id is null) = (lease_until is null)),
  foreign key (company_id, trade_id) references causeway.trade (company_id, id)
);
call causeway.fence('causeway.trade_message');
create index trade_message_due on causeway.trade_message (next_at) where delivered_at is null;
-- Workers claim what is due, of whatever company.
create policy worker_claims on causeway.trade_message for select to causeway_worker using (delivered_at is null);
create policy worker_leases on causeway.trade_message for update to causeway_worker using (delivered_at is null) with check (delivered_at is null);

grant select, insert on causeway.trade, causeway.trade_event, causeway.trade_confirmation, causeway.trade_line, causeway.trade_release,
  causeway.trade_message to causeway_app;
grant update (version, number, status, phase, state, chain_id, asset_id, quantity, refunded, frozen, payer_name, payer_address, payee_name,
  payee_address, bill_of_lading, act_by, milestones, documents, contradiction, confirmation_id, updated_at) on causeway.trade to causeway_app;
grant update (outcome) on causeway.trade_event to causeway_app;
-- The worker ends approvals that are not given in time, and delivers.
grant select on causeway.trade, causeway.trade_event, causeway.trade_confirmation, causeway.trade_line, causeway.trade_release, causeway.trade_message
  to causeway_worker;
grant update (state, frozen, updated_at) on causeway.trade to causeway_worker;
grant insert on causeway.trade_line to causeway_worker;
grant update (attempts, next_at, lease_id, lease_until, delivered_at, problem) on causeway.trade_message to causeway_worker;
grant select on causeway.trade, causeway.trade_event, causeway.trade_confirmation, causeway.trade_line, causeway.trade_release, causeway.trade_message
  to causeway_operator, causeway_console;

-- Which companies are the sides of a trade, by their addresses; nothing else of any company.
create policy trade_sides on causeway.chain_address for select to causeway_owner using (true);
create policy trade_sides on causeway.chain_further_address for select to causeway_owner using (true);
create function causeway.trade_sides(p_chain_id text, p_buyer text, p_seller text) returns table (company_id uuid, side text)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select o.company_id, case when o.address = p_buyer then 'buyer' else 'seller' end
  from (
    select a.company_id, a.chain_id, a.address from chain_address a
    where a.chain_id = p_chain_id and a.address in (p_buyer, p_seller) and a.derivation_index is not null
    union all
    select f.company_id, f.chain_id, f.address from chain_further_address f
    where f.chain_id = p_chain_id and f.address in (p_buyer, p_seller)
  ) o
$$;
revoke execute on function causeway.trade_sides from public;
grant execute on function causeway.trade_sides to causeway_app;
