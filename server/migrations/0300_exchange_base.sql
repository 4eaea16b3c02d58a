-- Exchange between a company's own wallets, against the platform (docs/adr/0080-…). Coin against coin, coin against currency, currency against currency.

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out', 'fiat_exchange_in',
  'fiat_deposit', 'fiat_payout', 'fee_withdraw'));

-- What company and platform owe each other of a wallet's asset by exchanges not settled yet: positive, it is at the company's place and belongs to the
-- platform; negative, the platform owes it to the company.
alter table causeway.wallet no force row level security;
alter table causeway.ledger_account no force row level security;
insert into causeway.ledger_account (company_id, id, owner_id, kind, asset_id, normal)
select w.company_id, uuidv7(), w.id, 'fx', w.asset_id, 'any' from causeway.wallet w
on conflict (company_id, owner_id, kind) do nothing;
alter table causeway.ledger_account force row level security;
alter table causeway.wallet force row level security;

-- A firm price for one exchange, once, until it expires. Amounts in minor units; rates are whole units bought for one whole unit sold.
create table causeway.exchange_quote (
  company_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  sell_wallet_id uuid not null,
  buy_wallet_id uuid not null,
  sell_asset text not null references causeway.asset (id),
  buy_asset text not null references causeway.asset (id),
  fixed text not null check (fixed in ('sell', 'buy')),
  -- What is exchanged; the fee beside it, of the sold asset too; what arrives.
  sold numeric(78, 0) not null check (sold > 0),
  fee numeric(78, 0) not null check (fee >= 0),
  bought numeric(78, 0) not null check (bought > 0),
  mid numeric not null check (mid > 0),
  rate numeric not null check (rate > 0),
  spread_bp integer not null check (spread_bp >= 0),
  fee_bp integer not null check (fee_bp >= 0),
  -- The middle prices in US dollars, who said them, and since when the older one of them holds.
  sell_usd numeric not null check (sell_usd > 0),
  buy_usd numeric not null check (buy_usd > 0),
  sources text[] not null,
  rated_at timestamptz not null,
  -- SHA-256 of the content in one fixed form.
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- The exchange that it was used for: one.
  used_by uuid,
  used_at timestamptz,
  primary key (company_id, id),
  check ((used_by is null) = (used_at is null)),
  foreign key (company_id, sell_wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, buy_wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.exchange_quote');
create index exchange_quote_unused on causeway.exchange_quote (expires_at) where used_by is null;

-- An exchange as it was submitted, and as it was executed. Its id is that of the transaction on the sold side.
create table causeway.exchange (
  company_id uuid not null,
  transaction_id uuid not null,
  sell_wallet_id uuid not null,
  buy_wallet_id uuid not null,
  sell_asset text not null references causeway.asset (id),
  buy_asset text not null references causeway.asset (id),
  fixed text not null check (fixed in ('sell', 'buy')),
  -- By the quote that it was submitted with; minor units.
  sold numeric(78, 0) not null check (sold > 0),
  fee numeric(78, 0) not null check (fee >= 0),
  bought numeric(78, 0) not null check (bought > 0),
  -- The least that arrives, or the most that leaves (fee included): what code and approvals are bound to.
  bound numeric(78, 0) not null check (bound > 0),
  submitted_quote_id uuid not null,
  -- As it was executed; the same quote where nothing had to be approved.
  executed_quote_id uuid,
  executed_sold numeric(78, 0),
  executed_fee numeric(78, 0),
  executed_bought numeric(78, 0),
  bought_transaction_id uuid,
  executed_at timestamptz,
  primary key (company_id, transaction_id),
  unique (company_id, submitted_quote_id),
  unique (company_id, executed_quote_id),
  check (num_nulls(executed_quote_id, executed_sold, executed_fee, executed_bought, bought_transaction_id, executed_at) in (0, 6)),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred,
  foreign key (company_id, submitted_quote_id) references causeway.exchange_quote (company_id, id),
  foreign key (company_id, executed_quote_id) references causeway.exchange_quote (company_id, id)
);
call causeway.fence('causeway.exchange');
create index exchange_executed on causeway.exchange (executed_at, company_id, transaction_id) where executed_at is not null;
create policy worker_reads on causeway.exchange for select to causeway_worker using (true);
create policy signer_reads on causeway.exchange for select to causeway_signer using (true);

-- What the HTTP process sealed of an executed exchange (exchange/seal.ts): settlements are signed against it alone.
create table causeway.exchange_seal (
  company_id uuid not null,
  exchange_id uuid not null,
  jws text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, exchange_id),
  foreign key (company_id, exchange_id) references causeway.exchange (company_id, transaction_id) deferrable initially deferred
);
call causeway.fence('causeway.exchange_seal');
create policy signer_reads on causeway.exchange_seal for select to causeway_signer using (true);
create trigger append_only before update or delete or truncate on causeway.exchange_seal
  for each statement execute function causeway.refuse_change();

grant select, insert on causeway.exchange_quote to causeway_app;
grant update (used_by, used_at), delete on causeway.exchange_quote to causeway_app;
grant select, insert on causeway.exchange, causeway.exchange_seal to causeway_app;
grant update (executed_quote_id, executed_sold, executed_fee, executed_bought, bought_transaction_id, executed_at) on causeway.exchange to causeway_app;
grant select on causeway.exchange_quote, causeway.exchange, causeway.exchange_seal to causeway_worker, causeway_operator, causeway_console;
grant delete on causeway.exchange_quote to causeway_worker;
grant select on causeway.exchange, causeway.exchange_seal to causeway_signer;
