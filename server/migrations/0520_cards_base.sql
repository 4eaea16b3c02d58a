-- Company cards (docs/adr/0102-…). No number of a card is here, nor anything that a payment could be made with.

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'chain_accelerate', 'chain_sweep', 'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out',
  'fiat_exchange_in', 'fiat_deposit', 'fiat_payout', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out', 'card_payment', 'card_refund'));

-- card: what the issuer has cleared and the company's wallet no longer has, and which is not settled with the issuer yet. Negative where refunds prevail.
do $$
begin
  execute (select format('alter domain causeway.ledger_account_kind drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.ledger_account_kind'::regtype);
end $$;
alter domain causeway.ledger_account_kind add constraint ledger_account_kind_check check (value in ('available', 'outbound', 'inbound', 'chain',
  'bank', 'fee', 'gas', 'fx', 'escrow', 'deficit', 'suspense', 'charges', 'collecting', 'card'));

create table causeway.card (
  company_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('virtual', 'physical')),
  holder_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  wallet_id uuid not null,
  asset_id text not null references causeway.asset (id),
  state text not null default 'ordered' check (state in ('ordered', 'inactive', 'active', 'closed', 'failed')),
  frozen_by text check (frozen_by in ('holder', 'administrator')),
  frozen_at timestamptz,
  -- A payment that could not be declined took more than the wallet had.
  blocked_at timestamptz,
  -- Minor units; null: none.
  limit_each numeric(78, 0) check (limit_each > 0),
  limit_day numeric(78, 0) check (limit_day > 0),
  limit_month numeric(78, 0) check (limit_month > 0),
  limit_total numeric(78, 0) check (limit_total > 0),
  category_mode text check (category_mode in ('allow', 'deny')),
  categories text[] not null default '{}',
  country_mode text check (country_mode in ('allow', 'deny')),
  countries text[] not null default '{}',
  online boolean not null,
  valid_until date,
  -- The issuer's name of it, unique over all companies, and what it says of it.
  issuer_token text unique check (length(issuer_token) between 1 and 200),
  issuer_state text check (issuer_state in ('open', 'paused', 'closed')),
  last_four text check (last_four ~ '^[0-9]{4}$'),
  expires text check (expires ~ '^[0-9]{4}-[0-9]{2}$'),
  ship_to jsonb,
  shipping_state text check (shipping_state in ('ordered', 'produced', 'shipped', 'delivered', 'returned')),
  shipping_at timestamptz,
  tracking text,
  expected_on date,
  problem text,
  -- The first of those that replaced each other: limits count what all of them spent.
  origin_id uuid not null,
  replaces_id uuid,
  replacement text check (replacement in ('lost', 'stolen', 'damaged', 'expiring')),
  created_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  primary key (company_id, id),
  check ((frozen_by is null) = (frozen_at is null)),
  check ((category_mode is null) = (categories = '{}')),
  check ((country_mode is null) = (countries = '{}')),
  check ((kind = 'physical') = (ship_to is not null)),
  check ((ship_to is null) = (shipping_state is null)),
  check ((state = 'closed') <= (closed_at is not null)),
  foreign key (company_id, holder_id) references causeway.member (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, replaces_id) references causeway.card (company_id, id)
);
call causeway.fence('causeway.card');
create index card_time on causeway.card (company_id, created_at desc, id desc);
create index card_holder on causeway.card (company_id, holder_id);
create unique index card_replaces on causeway.card (company_id, replaces_id) where replaces_id is not null;

-- What happened to a card.
create table causeway.card_step (
  company_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  step text not null check (step in ('issued', 'made', 'changed', 'frozen', 'unfrozen', 'blocked', 'unblocked', 'activated', 'shipped', 'replaced',
    'closed', 'failed')),
  at timestamptz not null default clock_timestamp(),
  by_name text,
  note text not null default '',
  primary key (company_id, id),
  foreign key (company_id, card_id) references causeway.card (company_id, id)
);
call causeway.fence('causeway.card_step');
create index card_step_of on causeway.card_step (company_id, card_id, at, id);
create trigger append_only before update or delete or truncate on causeway.card_step
  for each statement execute function causeway.refuse_change();

-- The rules above cards; the limits of each are for every card of the currency that it concerns.
create table causeway.card_rule (
  company_id uuid not null,
  id uuid not null,
  scope text not null check (scope in ('company', 'department', 'role')),
  scope_id uuid,
  asset_id text not null references causeway.asset (id),
  limit_each numeric(78, 0) check (limit_each > 0),
  limit_day numeric(78, 0) check (limit_day > 0),
  limit_month numeric(78, 0) check (limit_month > 0),
  limit_total numeric(78, 0) check (limit_total > 0),
  category_mode text check (category_mode in ('allow', 'deny')),
  categories text[] not null default '{}',
  country_mode text check (country_mode in ('allow', 'deny')),
  countries text[] not null default '{}',
  online boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique nulls not distinct (company_id, scope, scope_id, asset_id),
  check ((scope = 'company') = (scope_id is null)),
  check ((category_mode is null) = (categories = '{}')),
  check ((country_mode is null) = (countries = '{}'))
);
call causeway.fence('causeway.card_rule');

-- A purchase, as the issuer names it: what is held and what was cleared, over all that was said of it. Minor units of the card's currency.
create table causeway.card_purchase (
  company_id uuid not null,
  -- Also the id of its transaction.
  id uuid not null,
  token text not null check (length(token) between 1 and 200),
  card_id uuid not null,
  origin_id uuid not null,
  wallet_id uuid not null,
  merchant text not null check (length(merchant) <= 200),
  mcc text not null check (mcc ~ '^[0-9]{4}$'),
  merchant_group text not null,
  city text not null default '' check (length(city) <= 100),
  country text check (country ~ '^[A-Z]{2}$'),
  online boolean,
  -- In the merchant's currency, whole units, and how much of the card's currency one of it was.
  merchant_amount numeric check (merchant_amount > 0),
  merchant_currency text check (merchant_currency ~ '^[A-Z]{3}$'),
  rate numeric check (rate > 0),
  held numeric(78, 0) not null check (held >= 0),
  cleared numeric(78, 0) not null default 0 check (cleared >= 0),
  -- Paid without having been asked for, or beyond what was held.
  forced boolean not null default false,
  -- What it took beyond what was available.
  overdrawn numeric(78, 0) not null default 0 check (overdrawn >= 0),
  -- How many postings it has.
  postings integer not null default 0,
  receipt_state text not null default 'none' check (receipt_state in ('none', 'missing', 'matched', 'waived')),
  receipt_note text not null default '',
  reminded_at timestamptz,
  at timestamptz not null,
  cleared_at timestamptz,
  primary key (company_id, id),
  unique (company_id, token),
  foreign key (company_id, card_id) references causeway.card (company_id, id),
  foreign key (company_id, id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.card_purchase');
-- What a card has spent since an instant.
create index card_purchase_spent on causeway.card_purchase (company_id, origin_id, at) include (held, cleared);
create index card_purchase_card on causeway.card_purchase (company_id, card_id, at desc, id desc);
create index card_purchase_receipt on causeway.card_purchase (company_id, cleared_at) where receipt_state = 'missing';
create index card_purchase_held on causeway.card_purchase (at) where held > 0;

-- What the issuer asked, and what it was answered: each request once.
create table causeway.card_request (
  company_id uuid not null,
  id uuid not null,
  -- The issuer's name of the request.
  token text not null check (length(token) between 1 and 200),
  purchase_token text not null check (length(purchase_token) between 1 and 200),
  card_id uuid not null,
  kind text not null check (kind in ('authorization', 'incremental', 'final', 'inquiry', 'credit')),
  amount numeric(78, 0) not null check (amount >= 0),
  approved numeric(78, 0) not null check (approved >= 0 and approved <= amount),
  outcome text not null check (outcome in ('approved', 'declined')),
  reason text,
  merchant text not null,
  mcc text not null,
  merchant_group text not null,
  city text not null default '',
  country text,
  online boolean,
  merchant_amount numeric,
  merchant_currency text,
  rate numeric,
  -- By the issuer's clock, and by ours.
  at timestamptz not null,
  answered_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique (company_id, token),
  check ((outcome = 'declined') = (reason is not null)),
  check (outcome = 'approved' or approved = 0),
  foreign key (company_id, card_id) references causeway.card (company_id, id)
);
call causeway.fence('causeway.card_request');
create index card_request_of on causeway.card_request (company_id, purchase_token);
create index card_request_card on causeway.card_request (company_id, card_id, at desc, id desc);
create trigger append_only before update or delete or truncate on causeway.card_request
  for each statement execute function causeway.refuse_change();

-- What the issuer said happened, each event once; the order in which they arrive says nothing.
create table causeway.card_event (
  company_id uuid not null,
  -- The source of what it posted.
  id uuid not null,
  token text not null check (length(token) between 1 and 200),
  purchase_token text not null check (length(purchase_token) between 1 and 200),
  card_id uuid not null,
  type text not null check (type in ('authorized', 'declined', 'adjusted', 'reversed', 'expired', 'cleared', 'refunded', 'refundReversed')),
  amount numeric(78, 0) check (amount >= 0),
  -- Of an authorisation or a decline, the request that it is the outcome of.
  request_token text,
  is_last boolean not null default false,
  note text not null default '',
  at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique (company_id, token),
  foreign key (company_id, card_id) references causeway.card (company_id, id)
);
call causeway.fence('causeway.card_event');
create index card_event_of on causeway.card_event (company_id, purchase_token);
create index card_event_card on causeway.card_event (company_id, card_id, at desc, id desc);
create trigger append_only before update or delete or truncate on causeway.card_event
  for each statement execute function causeway.refuse_change();

-- What a merchant gave back: each a transaction of its own, and what took it back again.
create table causeway.card_refund (
  company_id uuid not null,
  -- Of its transaction.
  id uuid not null,
  event_id uuid not null,
  card_id uuid not null,
  purchase_token text not null,
  merchant text not null,
  mcc text not null,
  merchant_group text not null,
  city text not null default '',
  country text,
  amount numeric(78, 0) not null check (amount > 0),
  merchant_amount numeric,
  merchant_currency text,
  rate numeric,
  at timestamptz not null,
  reversed_by uuid,
  primary key (company_id, id),
  unique (company_id, event_id),
  unique (company_id, reversed_by),
  foreign key (company_id, card_id) references causeway.card (company_id, id),
  foreign key (company_id, event_id) references causeway.card_event (company_id, id),
  foreign key (company_id, reversed_by) references causeway.card_event (company_id, id),
  foreign key (company_id, id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.card_refund');
create index card_refund_of on causeway.card_refund (company_id, purchase_token);
create index card_refund_card on causeway.card_refund (company_id, card_id, at desc, id desc);

create table causeway.card_receipt (
  company_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  -- The payment; null: none was found yet.
  purchase_id uuid,
  amount numeric check (amount > 0),
  dated_on date,
  merchant text not null default '',
  added_by uuid not null,
  added_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, purchase_id) references causeway.card_purchase (company_id, id),
  foreign key (company_id, added_by) references causeway.member (company_id, id),
  foreign key (company_id, file_id) references causeway.file (company_id, id)
);
call causeway.fence('causeway.card_receipt');
create index card_receipt_file on causeway.card_receipt (company_id, file_id);
create unique index card_receipt_purchase on causeway.card_receipt (company_id, purchase_id) where purchase_id is not null and removed_at is null;

grant select, insert on causeway.card, causeway.card_step, causeway.card_rule, causeway.card_purchase, causeway.card_request, causeway.card_event,
  causeway.card_refund, causeway.card_receipt to causeway_app;
grant update (name, state, frozen_by, frozen_at, blocked_at, limit_each, limit_day, limit_month, limit_total, category_mode, categories, country_mode,
  countries, online, valid_until, issuer_token, issuer_state, last_four, expires, ship_to, shipping_state, shipping_at, tracking, expected_on, problem, closed_at)
  on causeway.card to causeway_app, causeway_worker;
grant update (limit_each, limit_day, limit_month, limit_total, category_mode, categories, country_mode, countries, online, changed_at), delete
  on causeway.card_rule to causeway_app;
grant update (merchant, mcc, merchant_group, city, country, online, merchant_amount, merchant_currency, rate, held, cleared, forced, overdrawn, postings, receipt_state,
  receipt_note, reminded_at, at, cleared_at) on causeway.card_purchase to causeway_app, causeway_worker;
grant update (reversed_by) on causeway.card_refund to causeway_app, causeway_worker;
grant update (purchase_id, removed_at) on causeway.card_receipt to causeway_app;
-- The worker speaks to the issuer, takes in what it says when it is asked, ends holds, and reminds.
grant select on causeway.card, causeway.card_step, causeway.card_rule, causeway.card_purchase, causeway.card_request, causeway.card_event,
  causeway.card_refund, causeway.card_receipt to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.card_step, causeway.card_purchase, causeway.card_event, causeway.card_refund to causeway_worker;

-- The amount of a purchase follows what is held and cleared of it, and its values follow in proportion; no role writes them of anything else.
create function causeway.resize_card_payment(p_id uuid, p_quantity numeric) returns void
  language sql security definer set search_path = causeway, pg_temp as $$
  update transaction t set quantity = p_quantity, amount_whole = p_quantity * ('1e-' || a.decimals)::numeric,
    value_usd_cents = round(t.value_usd_cents * p_quantity / t.quantity), base_value = round(t.base_value * p_quantity / t.quantity), updated_at = now()
  from asset a where a.id = t.coin and t.company_id = company_id() and t.id = p_id and t.type = 'card_payment' and t.quantity <> p_quantity
$$;
revoke execute on function causeway.resize_card_payment from public;
grant execute on function causeway.resize_card_payment to causeway_app, causeway_worker;

-- As exchanges do: an authorisation holds back the operator's freezes while it decides.
grant execute on function causeway.freeze_lock to causeway_app;

-- Whose card it is; nothing else of any company.
grant create on schema causeway to causeway_lookup;
grant select (company_id, id, issuer_token) on causeway.card to causeway_lookup;
create policy lookup on causeway.card for select to causeway_lookup using (true);
create function causeway.card_owner(p_issuer_token text) returns uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select company_id from card where issuer_token = p_issuer_token
$$;
alter function causeway.card_owner owner to causeway_lookup;
-- Purchases that have been held since before an instant, over all companies.
grant select (company_id, id, at, held, cleared_at, receipt_state, reminded_at) on causeway.card_purchase to causeway_lookup;
create policy lookup on causeway.card_purchase for select to causeway_lookup using (true);
create function causeway.card_purchases_held(p_before timestamptz) returns table (company_id uuid, id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select company_id, id from card_purchase where held > 0 and at < p_before order by at limit 200
$$;
alter function causeway.card_purchases_held owner to causeway_lookup;
-- Companies with receipts that have been missing for so many days, and of which no one was reminded.
create function causeway.card_receipts_due(p_days integer) returns table (company_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct company_id from card_purchase
  where receipt_state = 'missing' and reminded_at is null and cleared_at < now() - make_interval(days => p_days)
$$;
alter function causeway.card_receipts_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.card_owner, causeway.card_purchases_held, causeway.card_receipts_due from public;
grant execute on function causeway.card_owner to causeway_app, causeway_worker;
grant execute on function causeway.card_purchases_held, causeway.card_receipts_due to causeway_worker;

-- System roles are the program's; roles of companies that see transactions see cards, and those that make transfers keep what finance people do.
alter table causeway.role no force row level security;
update causeway.role set permissions = permissions || '{card.view}'
where 'transaction.view' = any (permissions) and not 'card.view' = any (permissions);
alter table causeway.role force row level security;
