-- Settlement of exchanged coins between a company's address and the platform's treasury (docs/adr/0081-…): what the legs of executed exchanges come
-- to in one wallet, net, each leg once. One that comes to nothing is settled by its legs alone.

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out', 'fiat_exchange_in',
  'fiat_deposit', 'fiat_payout', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));

create table causeway.settlement (
  company_id uuid not null,
  -- Of its transaction too, where coins move.
  id uuid not null,
  wallet_id uuid not null,
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  -- In: from the treasury to the company's address.
  direction text not null check (direction in ('in', 'out', 'none')),
  -- Minor units.
  amount numeric(78, 0) not null check (amount >= 0),
  cause text not null check (cause in ('payment', 'nightly', 'threshold', 'restored')),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  check ((direction = 'none') = (amount = 0)),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.settlement');
create index settlement_wallet on causeway.settlement (company_id, wallet_id);
create index settlement_coin on causeway.settlement (chain_id, coin, direction);

-- One side of an executed exchange. The key is what settles it once.
create table causeway.settlement_leg (
  company_id uuid not null,
  exchange_id uuid not null,
  side text not null check (side in ('sold', 'bought')),
  settlement_id uuid not null,
  amount numeric(78, 0) not null check (amount > 0),
  primary key (company_id, exchange_id, side),
  foreign key (company_id, settlement_id) references causeway.settlement (company_id, id),
  foreign key (company_id, exchange_id) references causeway.exchange (company_id, transaction_id)
);
call causeway.fence('causeway.settlement_leg');
create index settlement_leg_settlement on causeway.settlement_leg (company_id, settlement_id);

create trigger append_only before update or delete or truncate on causeway.settlement
  for each statement execute function causeway.refuse_change();
create trigger append_only before update or delete or truncate on causeway.settlement_leg
  for each statement execute function causeway.refuse_change();

create policy worker_reads on causeway.settlement for select to causeway_worker using (true);
create policy worker_reads on causeway.settlement_leg for select to causeway_worker using (true);
create policy signer_reads on causeway.settlement for select to causeway_signer using (true);
create policy signer_reads on causeway.settlement_leg for select to causeway_signer using (true);
grant select, insert on causeway.settlement, causeway.settlement_leg to causeway_worker;
grant select on causeway.settlement, causeway.settlement_leg to causeway_signer, causeway_operator, causeway_console;

-- Payments that wait for coins from the treasury. The worker's alone to write; the company's process says what a payment waits for.
create table causeway.settlement_wait (
  company_id uuid not null,
  transaction_id uuid not null,
  wallet_id uuid not null,
  since timestamptz not null default now(),
  primary key (company_id, transaction_id)
);
call causeway.fence('causeway.settlement_wait');
create policy worker_reads on causeway.settlement_wait for select to causeway_worker using (true);
grant select, insert, delete on causeway.settlement_wait to causeway_worker;
grant select on causeway.settlement_wait to causeway_app, causeway_look, causeway_operator, causeway_console;

-- A coin of which the treasury had too little when a settlement was to be sent; no row once it had enough.
create table causeway.treasury_short (
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  -- Minor units: what is there and not promised, and what all settlements that wait come to.
  free numeric(78, 0) not null,
  needed numeric(78, 0) not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (chain_id, coin)
);
grant select, insert, update, delete on causeway.treasury_short to causeway_worker;
grant select on causeway.treasury_short to causeway_operator, causeway_console;

-- What the treasury holds, as the worker reads it at intervals. Minor units.
create table causeway.treasury_balance (
  chain_id text not null references causeway.chain (id),
  coin text not null references causeway.asset (id),
  balance numeric(78, 0) not null,
  height bigint not null,
  read_at timestamptz not null default now(),
  primary key (chain_id, coin)
);
grant select, insert, update on causeway.treasury_balance to causeway_worker;
grant select on causeway.treasury_balance to causeway_operator, causeway_console;

-- The legs that a settlement pays are in the signer's journal: a leg that was paid once is never paid again, whatever the database says.
alter table causeway.signer_journal add column legs jsonb,
  add constraint signer_journal_legs check (legs is null or (jsonb_typeof(legs) = 'array' and kind = 'transfer'));
create index signer_journal_legs on causeway.signer_journal (company_id, transfer_id) where legs is not null;

-- The signer sees for itself how an exchange was posted.
create policy signer_reads on causeway.ledger_account for select to causeway_signer using (true);
create policy signer_reads on causeway.ledger_posting for select to causeway_signer using (true);
create policy signer_reads on causeway.ledger_entry for select to causeway_signer using (true);
grant select on causeway.ledger_account, causeway.ledger_posting, causeway.ledger_entry to causeway_signer;

-- Hidden where the operator's collections of fees are (migrations 0166, 0190, 0196): the platform's own coins move, and none of the company's money.
alter policy operators_own on causeway.transaction using (type not in ('fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'))
  with check (type not in ('fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));
alter policy look_own on causeway.transaction using (type not in ('fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));
create or replace function causeway.count_transactions() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  insert into transaction_count as c (company_id, slot, rows)
  select company_id, pg_backend_pid() % 1024, count(*) from added
    where type not in ('fee_withdraw', 'fx_settlement_in', 'fx_settlement_out') group by company_id
  on conflict (company_id, slot) do update set rows = c.rows + excluded.rows where c.rows <= 10000;
  return null;
end $$;
create index transaction_fx_settlement on causeway.transaction (company_id, wallet_id) where type in ('fx_settlement_in', 'fx_settlement_out');

grant create on schema causeway to causeway_search;
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid and t.type not in (''fee_withdraw'', ''fx_settlement_in'', ''fx_settlement_out'')', company_id());
  v_word text := lower(p_filter ->> 'keyword');
  v_invoice text := lower(p_filter ->> 'invoiceNumber');
  v_ids uuid[];
  v_amount record;
begin
  if p_filter ? 'type' then v_where := v_where || format(' and t.type = %L', p_filter ->> 'type'); end if;
  if p_filter ? 'status' then v_where := v_where || format(' and t.status = %L', p_filter ->> 'status'); end if;
  if p_filter ? 'coin' then v_where := v_where || format(' and t.coin = %L', p_filter ->> 'coin'); end if;
  if p_filter ? 'walletId' then v_where := v_where || format(' and t.wallet_id = %L::uuid', p_filter ->> 'walletId'); end if;
  if p_filter ? 'category' then v_where := v_where || format(' and t.category = %L', p_filter ->> 'category'); end if;
  if p_filter ? 'from' then v_where := v_where || format(' and t.created_at >= %L::timestamptz', p_filter ->> 'from'); end if;
  if p_filter ? 'to' then v_where := v_where || format(' and t.created_at < %L::timestamptz', p_filter ->> 'to'); end if;
  if p_filter ? 'amountMin' then v_where := v_where || format(' and t.amount_whole >= %L::numeric', p_filter ->> 'amountMin'); end if;
  if p_filter ? 'amountMax' then v_where := v_where || format(' and t.amount_whole <= %L::numeric', p_filter ->> 'amountMax'); end if;
  if v_invoice <> '' then
    v_ids := transaction_text_ids(v_invoice, c_most + 1);
    if cardinality(v_ids) <= c_most then v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids); end if;
    v_where := v_where || format(' and strpos(lower(t.invoice_number), %L) > 0', v_invoice);
  end if;
  if v_word ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    v_where := v_where || format(' and t.id = %L::uuid', v_word);
  elsif v_word ~ '^0x[0-9a-f]{64}$' then
    v_where := v_where || format(' and t.id = any (%L::uuid[])', transaction_hash_ids(v_word));
  elsif v_word ~ '^0x[0-9a-f]{40}$' then
    v_where := v_where || format(
      ' and (address_likeness(t.payer_account) = %1$L and lower(t.payer_account) = %2$L
         or address_likeness(t.payee_account) = %1$L and lower(t.payee_account) = %2$L)',
      address_likeness(v_word), v_word);
  elsif is_free_text(v_word) then
    v_ids := transaction_word_ids(v_word, c_most + 1);
    if cardinality(v_ids) <= c_most then
      v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
    else
      select * into v_amount from amount_of_word(v_word);
      v_where := v_where || format(
        ' and ((select %s from transaction_text x where x.company_id = t.company_id and x.transaction_id = t.id)%s)',
        transaction_text_condition(v_word, false),
        case when v_amount.low is not null then format(
          ' or t.amount_whole >= %L::numeric and t.amount_whole < %L::numeric%s%s', v_amount.low, v_amount.high,
          case when v_amount.direction is not null then format(' and t.direction = %L', v_amount.direction) end,
          case when v_amount.coin is not null then format(' and t.coin = %L', v_amount.coin) end) end);
    end if;
  end if;
  return v_where;
end $$;
revoke create on schema causeway from causeway_search;
