-- Free text over transactions, found through an index: by trigrams (pg_trgm, contrib), and words of one or two characters,
-- as Chinese has them, by pairs. Indexing a transaction costs as much as posting it, so it is not done where
-- somebody waits: the text is written with the transaction and taken into the index by the worker a moment later; what
-- is not yet in it is read as it is. The search gets a role of its own.

create extension if not exists pg_trgm with schema causeway;

create table causeway.transaction_text (
  company_id uuid not null,
  transaction_id uuid not null,
  -- What people wrote: names, description, notes. Lower case, a line each.
  spoken text not null,
  -- What machines wrote: accounts, hash, id. Words shorter than three characters are not looked for here.
  codes text not null,
  indexed boolean not null default false,
  primary key (company_id, transaction_id)
);
call causeway.fence('causeway.transaction_text');

-- What words of one or two characters are found by: of ASCII the beginnings of words, of other scripts, which write whole
-- words so, each character and each pair of neighbours. And the signs, which no trigram has.
create function causeway.text_pairs(words text) returns text[] language sql immutable parallel safe
  return array(
    select w[1] from regexp_matches(words, '\m[0-9a-z]{1,2}', 'g') as w
    union
    select left(w[1], 1) from regexp_matches(words, '\m[0-9a-z]', 'g') as w
    union
    select w[1] from regexp_matches(words, '[^[:alnum:]\s]', 'g') as w
    union
    select pair
    from generate_series(1, case when words ~ '[^\x01-\x7f]' then length(words) else 0 end) as i,
      lateral (values (substr(words, i, 1)), (substr(words, i, 2))) as p (pair)
    where pair ~ '[^\x01-\x7f]' and pair !~ '\s');

-- The company stands in it as an array, so that no other index answers the same condition: which way is the shorter the
-- planner cannot know, since its figures are of all companies.
create index transaction_text_search on causeway.transaction_text
  using gin ((array[company_id]), spoken causeway.gin_trgm_ops, codes causeway.gin_trgm_ops, causeway.text_pairs(spoken)) where indexed;
create index transaction_text_fresh on causeway.transaction_text (company_id) where not indexed;

grant usage, create on schema causeway to causeway_search;
grant select on causeway.transaction to causeway_search;
grant select, insert, update on causeway.transaction_text to causeway_search;
create policy search on causeway.transaction for select to causeway_search using (true);
create policy search on causeway.transaction_text to causeway_search using (true) with check (true);
drop policy lookup on causeway.transaction;

create function causeway.transaction_spoken(t causeway.transaction) returns text language sql immutable parallel safe
  return lower(concat_ws(chr(10), t.payee_name, t.payer_name, t.description, t.notes, t.initiator_name));
create function causeway.transaction_codes(t causeway.transaction) returns text language sql immutable parallel safe
  return lower(concat_ws(chr(10), t.payee_account, t.payer_account, t.hash, t.id::text));

create function causeway.write_transaction_text() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  insert into transaction_text (company_id, transaction_id, spoken, codes)
  select a.company_id, a.id, transaction_spoken(a), transaction_codes(a) from added a;
  return null;
end $$;
-- Of what is searched only the hash ever changes.
create function causeway.rewrite_transaction_text() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  update transaction_text x set codes = transaction_codes(new), indexed = false
  where x.company_id = new.company_id and x.transaction_id = new.id;
  return null;
end $$;

-- The owner has to see every company's rows for a moment.
alter table causeway.transaction no force row level security;
alter table causeway.transaction_text no force row level security;
insert into causeway.transaction_text (company_id, transaction_id, spoken, codes, indexed)
  select t.company_id, t.id, causeway.transaction_spoken(t), causeway.transaction_codes(t), true from causeway.transaction t;
alter table causeway.transaction force row level security;
alter table causeway.transaction_text force row level security;

create trigger text_written after insert on causeway.transaction
  referencing new table as added for each statement execute function causeway.write_transaction_text();
create trigger text_rewritten after update of hash on causeway.transaction
  for each row when (old.hash is distinct from new.hash) execute function causeway.rewrite_transaction_text();

-- Takes what is not yet in the index into it and answers how much that was: for the worker, over all companies.
create function causeway.transaction_text_index(p_most integer) returns integer language plpgsql
  security definer set search_path = causeway, pg_temp as $$
declare
  v_count integer;
begin
  update transaction_text x set indexed = true
  from (select company_id, transaction_id from transaction_text where not indexed limit p_most for update skip locked) as fresh
  where x.company_id = fresh.company_id and x.transaction_id = fresh.transaction_id and not x.indexed;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- The condition that finds a word in a text: for the index, which can answer it whatever the word, and for reading.
create function causeway.transaction_text_condition(p_word text, p_by_index boolean) returns text language plpgsql immutable
  set search_path = causeway, pg_temp as $$
declare
  v_pattern text := '%' || replace(replace(replace(p_word, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  if p_word !~ '[[:alnum:]]' and p_by_index then
    return format('text_pairs(x.spoken) @> text_pairs(%L) and x.spoken like %L', p_word, v_pattern);
  end if;
  if p_word ~ '^[[:alnum:]]{1,2}$' and p_by_index then return format('text_pairs(x.spoken) @> array[%L]', p_word); end if;
  if p_word ~ '^[0-9a-z]{1,2}$' then return format('x.spoken ~ %L', '\m' || p_word); end if;
  -- Codes are letters and digits; anything else in the word says that they are not meant.
  if p_word ~ '^[0-9a-z-]+$' then return format('(x.spoken like %1$L or x.codes like %1$L)', v_pattern); end if;
  return format('x.spoken like %L', v_pattern);
end $$;

-- The company's transactions that have a word, p_most at the most.
create function causeway.transaction_text_ids(p_word text, p_most integer) returns uuid[] language plpgsql stable
  set search_path = causeway, pg_temp set enable_seqscan = off as $$
declare
  v_ids uuid[];
begin
  execute format(
    'select array(select x.transaction_id from transaction_text x
         where array[x.company_id] @> array[%1$L::uuid] and x.indexed and %2$s limit %4$s)
       || array(select x.transaction_id from transaction_text x
         where x.company_id = %1$L and not x.indexed and %3$s limit %4$s)',
    company_id(), transaction_text_condition(p_word, true), transaction_text_condition(p_word, false), p_most) into v_ids;
  return v_ids;
end $$;

-- Whether a keyword is free text, and not the whole of an id, a hash or an address, which have indexes of their own.
create function causeway.is_free_text(p_word text) returns boolean language sql immutable parallel safe
  return p_word <> '' and p_word !~ '^([0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|0x[0-9a-f]{64}|0x[0-9a-f]{40})$';

-- The condition for a filter: {type, status, coin, walletId, from, to, amountMin, amountMax, keyword}, all optional. Every
-- value becomes a quoted literal, so the plan is made for what is really asked. A word that few transactions have is
-- turned into their ids first; one that many have is met soon by whoever walks through them in order.
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid', company_id());
  v_word text := lower(p_filter ->> 'keyword');
  v_ids uuid[];
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
  elsif is_free_text(v_word) then
    v_ids := transaction_text_ids(v_word, c_most + 1);
    if cardinality(v_ids) <= c_most then
      v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
    else
      v_where := v_where || format(
        ' and (select %s from transaction_text x where x.company_id = t.company_id and x.transaction_id = t.id)',
        transaction_text_condition(v_word, false));
    end if;
  end if;
  return v_where;
end $$;

-- How many match, counted no further than p_most (0011); a word alone has been counted when its ids are found.
create or replace function causeway.transaction_search_count(p_filter jsonb, p_most integer) returns bigint language plpgsql stable
  security definer set search_path = causeway, pg_temp set enable_seqscan = off as $$
declare
  v_word text := lower(p_filter ->> 'keyword');
  v_count bigint;
begin
  if p_filter - 'keyword' = '{}' and is_free_text(v_word) then
    return least(cardinality(transaction_text_ids(v_word, p_most)), p_most);
  end if;
  execute format('select count(*) from (select from transaction t where %s limit %s) as matching',
    transaction_filter(p_filter), p_most) into v_count;
  return v_count;
end $$;

-- What searches belongs to the searching role, which owns nothing else and cannot sign in.
alter function causeway.transaction_filter owner to causeway_search;
alter function causeway.transaction_search owner to causeway_search;
alter function causeway.transaction_search_count owner to causeway_search;
alter function causeway.transaction_addresses_like owner to causeway_search;
alter function causeway.transaction_text_condition owner to causeway_search;
alter function causeway.transaction_text_ids owner to causeway_search;
alter function causeway.transaction_text_index owner to causeway_search;
alter function causeway.write_transaction_text owner to causeway_search;
alter function causeway.rewrite_transaction_text owner to causeway_search;
revoke create on schema causeway from causeway_search;
revoke execute on function causeway.transaction_text_condition, causeway.transaction_text_ids, causeway.transaction_text_index,
  causeway.write_transaction_text, causeway.rewrite_transaction_text from public;
grant execute on function causeway.transaction_text_index to causeway_worker;
