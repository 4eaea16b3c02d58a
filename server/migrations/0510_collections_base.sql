-- Payment requests (docs/adr/0100-…): terms, periods with their frozen rates, addresses, the deposits that reached them, refunds, and a timeline.

create table causeway.payment_request (
  company_id uuid not null,
  id uuid not null,
  -- Of the payer's link. Fenced as every other column; found by `payment_request_by_token` alone.
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{32}$'),
  kind text not null check (kind in ('single', 'reusable')),
  pricing text not null check (pricing in ('coin', 'currency', 'open')),
  -- In what the amount is; null where the payer decides.
  asset_id text references causeway.asset (id),
  amount numeric(78, 0) check (amount > 0),
  -- In minor units of the asset, and the per cent that it was computed from.
  tolerance numeric(78, 0) not null default 0 check (tolerance >= 0),
  tolerance_percent text,
  title text not null check (length(title) between 1 and 100),
  reference text not null default '' check (length(reference) <= 64),
  note text not null default '' check (length(note) <= 500),
  payer_name text,
  payer_email text,
  payer_language text check (payer_language in ('en_US', 'zh_HK', 'zh_CN')),
  -- A day of the company's time zone.
  due_on date,
  reminder_days integer[] not null default '{}',
  reminders_stopped_at timestamptz,
  -- Of the latest period; null: it does not expire.
  expires_at timestamptz,
  -- The minutely job has looked at it since its latest period ended.
  end_judged boolean not null default false,
  -- As `judge` found it (domain.ts), at the latest change.
  state text not null default 'preparing' check (state in ('preparing', 'open', 'processing', 'settled', 'expired', 'cancelled', 'unresolved')),
  causes text[] not null default '{}' check (causes <@ '{underpaid,overpaid,late,wrong_coin,after_cancel}'),
  -- Of a single one: what was credited of it, in minor units of the asset, without what was refunded.
  paid numeric(78, 0) not null default 0 check (paid >= 0),
  version integer not null default 1 check (version > 0),
  opened_at timestamptz,
  -- Decided by a member: accepted as it is, or paid elsewhere. The value that was accepted, in minor units.
  closed_as text check (closed_as in ('accepted', 'by_hand')),
  closed_at timestamptz,
  closed_value numeric(78, 0),
  cancelled_at timestamptz,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, created_by) references causeway.member (company_id, id),
  check ((pricing = 'open') = (amount is null)),
  check ((amount is null) = (asset_id is null)),
  check (kind = 'reusable' or (amount is not null and expires_at is not null)),
  check (kind = 'single' or pricing <> 'currency'),
  check ((closed_as is null) = (closed_at is null)),
  check (closed_as is null or kind = 'single'),
  check ((state = 'unresolved') = (causes <> '{}')),
  check (payer_email is null or payer_language is not null)
);
call causeway.fence('causeway.payment_request');
create index payment_request_newest on causeway.payment_request (company_id, created_at desc, id desc);
create index payment_request_state on causeway.payment_request (company_id, state);
create index payment_request_preparing on causeway.payment_request (created_at) where state = 'preparing';
create index payment_request_expiring on causeway.payment_request (expires_at)
  where not end_judged and state in ('preparing', 'open', 'processing', 'unresolved');
create index payment_request_due on causeway.payment_request (due_on) where reminder_days <> '{}' and state in ('open', 'unresolved', 'expired');
-- Each coin on each chain that it accepts.
create table causeway.payment_request_option (
  company_id uuid not null,
  request_id uuid not null,
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  wallet_id uuid not null,
  primary key (company_id, request_id, chain_id, coin),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.payment_request_option');
create index payment_request_option_coin on causeway.payment_request_option (company_id, coin, chain_id);
create trigger append_only before update or delete or truncate on causeway.payment_request_option
  for each statement execute function causeway.refuse_change();

-- When it could be paid: the first period, and one for each time that the rest was asked for.
create table causeway.payment_request_period (
  company_id uuid not null,
  request_id uuid not null,
  number integer not null check (number > 0),
  starts_at timestamptz not null,
  expires_at timestamptz,
  -- What lacked when it began, in minor units of the asset.
  amount numeric(78, 0) check (amount > 0),
  primary key (company_id, request_id, number),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  check (expires_at > starts_at)
);
call causeway.fence('causeway.payment_request_period');
create trigger append_only before update or delete or truncate on causeway.payment_request_period
  for each statement execute function causeway.refuse_change();

-- Rates that hold for a period: units of the currency for one whole coin.
create table causeway.payment_request_rate (
  company_id uuid not null,
  request_id uuid not null,
  period integer not null,
  coin text not null references causeway.asset (id),
  rate numeric not null check (rate > 0),
  -- Since when its prices hold.
  rate_at timestamptz not null,
  -- What lacked in the coin, in its minor units, rounded up.
  amount numeric(78, 0) not null check (amount > 0),
  primary key (company_id, request_id, period, coin),
  foreign key (company_id, request_id, period) references causeway.payment_request_period (company_id, request_id, number)
);
call causeway.fence('causeway.payment_request_rate');
create trigger append_only before update or delete or truncate on causeway.payment_request_rate
  for each statement execute function causeway.refuse_change();

-- Its addresses, which no other request has: on every chain of a family, whichever of them it accepts.
create table causeway.payment_request_address (
  company_id uuid not null,
  request_id uuid not null,
  chain_id text not null references causeway.chain (id),
  address text not null,
  primary key (company_id, request_id, chain_id),
  unique (company_id, chain_id, address),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id)
);
call causeway.fence('causeway.payment_request_address');
create trigger append_only before update or delete or truncate on causeway.payment_request_address
  for each statement execute function causeway.refuse_change();

-- The deposits that reached them. Amounts and states are the deposits' own; kept here is what they were worth, and what was decided.
create table causeway.payment_request_payment (
  company_id uuid not null,
  transaction_id uuid not null,
  request_id uuid not null,
  -- When the deposit was first seen; after a reorganisation, in whichever block it was first.
  arrived_at timestamptz not null,
  is_accepted boolean not null,
  -- Units of the currency for one whole coin; null: of an amount in the coin, of no amount, or none was known.
  rate numeric check (rate > 0),
  rate_at timestamptz,
  -- Accepted, of an amount in a currency, and no rate was known yet.
  awaits_rate boolean not null default false,
  -- The state that the timeline has said last.
  said text not null default 'seen' check (said in ('seen', 'credited', 'taken_back')),
  -- A member has decided on it.
  decided_at timestamptz,
  primary key (company_id, transaction_id),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id),
  check ((rate is null) = (rate_at is null)),
  check (rate is null or not awaits_rate)
);
call causeway.fence('causeway.payment_request_payment');
create index payment_request_payment_unvalued on causeway.payment_request_payment (arrived_at) where awaits_rate;
create index payment_request_payment_of on causeway.payment_request_payment (company_id, request_id, arrived_at);

-- Transfers that give a payment back, or a part of it.
create table causeway.payment_request_refund (
  company_id uuid not null,
  transaction_id uuid not null,
  request_id uuid not null,
  payment_id uuid not null,
  amount numeric(78, 0) not null check (amount > 0),
  at timestamptz not null default clock_timestamp(),
  -- The status that the timeline has said last.
  said text not null default 'pending' check (said in ('pending', 'completed', 'failed')),
  primary key (company_id, transaction_id),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  foreign key (company_id, payment_id) references causeway.payment_request_payment (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.payment_request_refund');
create index payment_request_refund_of on causeway.payment_request_refund (company_id, request_id);
create index payment_request_refund_payment on causeway.payment_request_refund (company_id, payment_id);

create table causeway.payment_request_line (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  step text not null check (step in ('created', 'opened', 'edited', 'seen', 'credited', 'taken_back', 'settled', 'unresolved', 'expired', 'cancelled',
    'reopened', 'accepted', 'rest_asked', 'settled_by_hand', 'refund_submitted', 'refunded', 'refund_failed', 'reminded', 'reminders_stopped')),
  at timestamptz not null default clock_timestamp(),
  -- A member's name; null: the payer, the chain, or the program.
  by_name text,
  amount numeric(78, 0),
  asset_id text references causeway.asset (id),
  causes text[] not null default '{}',
  transaction_id uuid,
  note text not null default '',
  primary key (company_id, id),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  check ((amount is null) = (asset_id is null))
);
call causeway.fence('causeway.payment_request_line');
create index payment_request_line_of on causeway.payment_request_line (company_id, request_id, at, id);
create trigger append_only before update or delete or truncate on causeway.payment_request_line
  for each statement execute function causeway.refuse_change();

-- Reminders to the payer. One for each day that was chosen, and one by hand a day.
create table causeway.payment_request_reminder (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  -- Days from the due date; null: by hand.
  day integer,
  by_name text,
  at timestamptz not null,
  sent_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, request_id) references causeway.payment_request (company_id, id),
  check ((day is null) = (by_name is not null))
);
call causeway.fence('causeway.payment_request_reminder');
create unique index payment_request_reminder_day on causeway.payment_request_reminder (company_id, request_id, day) where day is not null;
create index payment_request_reminder_of on causeway.payment_request_reminder (company_id, request_id, at);

grant select on causeway.payment_request to causeway_app, causeway_worker;
-- The operator's processes read what a request says, and not the token of its link. A look reads what the company reads.
do $$
begin
  execute (select format('grant select (%s) on causeway.payment_request to causeway_operator, causeway_console', string_agg(quote_ident(attname), ', '))
    from pg_attribute where attrelid = 'causeway.payment_request'::regclass and attnum > 0 and not attisdropped and attname <> 'token');
end $$;
grant select on causeway.payment_request_option, causeway.payment_request_period, causeway.payment_request_rate, causeway.payment_request_address,
  causeway.payment_request_payment, causeway.payment_request_refund, causeway.payment_request_line, causeway.payment_request_reminder
  to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.payment_request, causeway.payment_request_option, causeway.payment_request_period, causeway.payment_request_rate,
  causeway.payment_request_refund, causeway.payment_request_line, causeway.payment_request_reminder to causeway_app;
grant update (note, payer_name, payer_email, payer_language, reminder_days, reminders_stopped_at, expires_at, end_judged, state, causes, paid, version, closed_as,
  closed_at, closed_value, cancelled_at, updated_at) on causeway.payment_request to causeway_app;
grant update (decided_at) on causeway.payment_request_payment to causeway_app;
-- The worker opens addresses, notes deposits, ends periods, reminds.
grant insert on causeway.payment_request_address, causeway.payment_request_payment, causeway.payment_request_line, causeway.payment_request_reminder
  to causeway_worker;
grant update (end_judged, state, causes, paid, version, opened_at, updated_at) on causeway.payment_request to causeway_worker;
grant update (rate, rate_at, awaits_rate, said) on causeway.payment_request_payment to causeway_worker;
grant update (said) on causeway.payment_request_refund to causeway_worker;
grant update (sent_at) on causeway.payment_request_reminder to causeway_worker;
-- Those of all companies that are to be opened, end or are to be reminded of, and which companies have any.
create policy worker_reads on causeway.payment_request for select to causeway_worker using (true);
create policy worker_values on causeway.payment_request_payment for select to causeway_worker using (awaits_rate);

-- Whose request a link's token is of, before the company is known; nothing else of it.
create policy by_token on causeway.payment_request for select to causeway_owner using (true);
create function causeway.payment_request_by_token(p_token text) returns table (company_id uuid, request_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select r.company_id, r.id from payment_request r where r.token = p_token
$$;
revoke execute on function causeway.payment_request_by_token from public;
grant execute on function causeway.payment_request_by_token to causeway_app;
