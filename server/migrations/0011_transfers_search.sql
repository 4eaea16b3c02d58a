-- Lists of transactions: the search function, the amount in whole coins that it compares and sorts by, the number of
-- transactions kept so that nobody counts them.

-- Amounts of different coins are compared in whole coins.
alter table causeway.transaction add column amount_whole numeric(96, 18);

create function causeway.transaction_amount() returns trigger language plpgsql
  set search_path = causeway, pg_temp as $$
begin
  -- Exact: a division would be rounded.
  new.amount_whole := new.quantity * (select ('1e-' || decimals)::numeric from asset where id = new.coin);
  return new;
end $$;
create trigger amount_whole before insert on causeway.transaction
  for each row execute function causeway.transaction_amount();
-- The owner has to see every company's rows for a moment.
alter table causeway.transaction no force row level security;
update causeway.transaction t set amount_whole = t.quantity * ('1e-' || a.decimals)::numeric
  from causeway.asset a where a.id = t.coin;
alter table causeway.transaction alter column amount_whole set not null;
create index transaction_amount on causeway.transaction (company_id, amount_whole desc, id desc);
create index transaction_hash on causeway.transaction (company_id, lower(hash)) where hash is not null;

-- The first and last four hex characters of an EVM address, as payees keep them; null for what is none.
create function causeway.address_likeness(address text) returns text language sql immutable parallel safe
  return case when address ~ '^0x[0-9a-fA-F]{40}$' then lower(substr(address, 3, 4) || right(address, 4)) end;
create index transaction_payer_likeness on causeway.transaction (company_id, causeway.address_likeness(payer_account));
create index transaction_payee_likeness on causeway.transaction (company_id, causeway.address_likeness(payee_account));

-- How many transactions a company has, up to a little above 10,000. Each backend counts in a slot of its own, so that
-- the count is neither a hot row nor part of a deadlock.
create table causeway.transaction_count (
  company_id uuid not null,
  slot integer not null,
  rows bigint not null,
  primary key (company_id, slot)
);
call causeway.fence('causeway.transaction_count');
create policy counter on causeway.transaction_count to causeway_owner using (true) with check (true);
grant select on causeway.transaction_count to causeway_app, causeway_worker, causeway_operator;

create function causeway.count_transactions() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  insert into transaction_count as c (company_id, slot, rows)
  select company_id, pg_backend_pid() % 1024, count(*) from added group by company_id
  on conflict (company_id, slot) do update set rows = c.rows + excluded.rows where c.rows <= 10000;
  return null;
end $$;
create trigger counted after insert on causeway.transaction
  referencing new table as added for each statement execute function causeway.count_transactions();
insert into causeway.transaction_count (company_id, slot, rows)
  select company_id, 0, count(*) from causeway.transaction group by company_id;
alter table causeway.transaction force row level security;

-- Under row-level security only leakproof operators use an index, and comparing amounts or searching texts is not. These
-- functions run as a role that may read all rows, take the company from the transaction's setting and nowhere else, and
-- answer ids (and sort values) alone; the rows themselves are then read under row-level security.
grant usage on schema causeway to causeway_lookup;
grant select on causeway.transaction to causeway_lookup;
create policy lookup on causeway.transaction for select to causeway_lookup using (true);

-- The condition for a filter: {type, status, coin, walletId, from, to, amountMin, amountMax, keyword}, all optional. Every
-- value becomes a quoted literal, so the plan is made for what is really asked.
create function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  v_where text := format('t.company_id = %L::uuid', company_id());
  v_word text := lower(p_filter ->> 'keyword');
begin
  if p_filter ? 'type' then v_where := v_where || format(' and t.type = %L', p_filter ->> 'type'); end if;
  if p_filter ? 'status' then v_where := v_where || format(' and t.status = %L', p_filter ->> 'status'); end if;
  if p_filter ? 'coin' then v_where := v_where || format(' and t.coin = %L', p_filter ->> 'coin'); end if;
  if p_filter ? 'walletId' then v_where := v_where || format(' and t.wallet_id = %L::uuid', p_filter ->> 'walletId'); end if;
  if p_filter ? 'from' then v_where := v_where || format(' and t.created_at >= %L::timestamptz', p_filter ->> 'from'); end if;
  if p_filter ? 'to' then v_where := v_where || format(' and t.created_at < %L::timestamptz', p_filter ->> 'to'); end if;
  if p_filter ? 'amountMin' then v_where := v_where || format(' and t.amount_whole >= %L::numeric', p_filter ->> 'amountMin'); end if;
  if p_filter ? 'amountMax' then v_where := v_where || format(' and t.amount_whole <= %L::numeric', p_filter ->> 'amountMax'); end if;
  if v_word ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    v_where := v_where || format(' and t.id = %L::uuid', v_word);
  elsif v_word ~ '^0x[0-9a-f]{64}$' then
    v_where := v_where || format(' and lower(t.hash) = %L', v_word);
  elsif v_word ~ '^0x[0-9a-f]{40}$' then
    v_where := v_where || format(
      ' and (address_likeness(t.payer_account) = %1$L and lower(t.payer_account) = %2$L
         or address_likeness(t.payee_account) = %1$L and lower(t.payee_account) = %2$L)',
      address_likeness(v_word), v_word);
  elsif v_word <> '' then
    v_where := v_where || format(
      ' and strpos(lower(concat_ws(chr(10), t.payee_name, t.payer_name, t.payee_account, t.payer_account, t.hash,
          t.description, t.notes, t.initiator_name, t.id::text)), %L) > 0', v_word);
  end if;
  return v_where;
end $$;

-- One page of ids, from after the given sort value and id on; p_after is the text that the row before it answered.
create function causeway.transaction_search(
  p_filter jsonb, p_sort text, p_descending boolean, p_after text, p_after_id uuid, p_limit integer
) returns table (id uuid, sort_value text) language plpgsql stable
  security definer set search_path = causeway, pg_temp set enable_seqscan = off as $$
declare
  v_column text := case p_sort when 'amount' then 'amount_whole' else 'created_at' end;
  v_cast text := case p_sort when 'amount' then 'numeric' else 'timestamptz' end;
  v_order text := case when p_descending then 'desc' else 'asc' end;
  v_after text := '';
begin
  if p_after is not null then
    v_after := format(' and (t.%I, t.id) %s (%L::%s, %L::uuid)',
      v_column, case when p_descending then '<' else '>' end, p_after, v_cast, p_after_id);
  end if;
  return query execute format(
    'select t.id, %s from transaction t where %s%s order by t.%I %s, t.id %s limit %s',
    case p_sort when 'amount' then 't.amount_whole::text'
      else $t$to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')$t$ end,
    transaction_filter(p_filter), v_after, v_column, v_order, v_order, p_limit);
end $$;

-- How many match, counted no further than p_most. (Left alone, the planner may read the table from its beginning until it
-- has met p_most rows, whoever's rows come first.)
create function causeway.transaction_search_count(p_filter jsonb, p_most integer) returns bigint language plpgsql stable
  security definer set search_path = causeway, pg_temp set enable_seqscan = off as $$
declare
  v_count bigint;
begin
  execute format('select count(*) from (select from transaction t where %s limit %s) as matching',
    transaction_filter(p_filter), p_most) into v_count;
  return v_count;
end $$;

-- Addresses that the company has dealt with on a chain and that look like one: same first and last four hex characters.
create function causeway.transaction_addresses_like(p_chain_id text, p_likeness text, p_most integer)
  returns table (address text, name text) language sql stable
  security definer set search_path = causeway, pg_temp as $$
  select address, min(name) from (
    (select payee_account as address, payee_name as name from transaction
     where company_id = company_id() and address_likeness(payee_account) = p_likeness and chain_id = p_chain_id limit 500)
    union all
    (select payer_account, payer_name from transaction
     where company_id = company_id() and address_likeness(payer_account) = p_likeness and chain_id = p_chain_id limit 500)
  ) as alike group by address order by address limit p_most;
$$;

-- Handing a function over needs the right to create for as long as it takes.
grant create on schema causeway to causeway_lookup;
alter function causeway.transaction_filter owner to causeway_lookup;
alter function causeway.transaction_search owner to causeway_lookup;
alter function causeway.transaction_search_count owner to causeway_lookup;
alter function causeway.transaction_addresses_like owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.transaction_filter, causeway.transaction_search, causeway.transaction_search_count,
  causeway.transaction_addresses_like from public;
grant execute on function causeway.transaction_search, causeway.transaction_search_count,
  causeway.transaction_addresses_like to causeway_app;
