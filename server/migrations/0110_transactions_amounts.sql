-- A word may be an amount: what is typed into the search as it is shown, "1,250.50", "-5,000.25 USDT", or its beginning.

-- What a word says as an amount in whole coins, from (inclusive) to (exclusive): "1250" means 1,250 and what follows its
-- point, "1250.5" also 1,250.50. With the direction, when it has a sign, and the coin, when it names one. No row for a word
-- that is none. Commas part thousands or nothing; digits and signs may be those of a Chinese keyboard.
create function causeway.amount_of_word(p_word text)
  returns table (low numeric, high numeric, direction text, coin text) language sql immutable parallel safe
  set search_path = causeway, pg_temp as $$
  select part.low, part.low + part.unit, case part.sign when '-' then 'out' when '+' then 'in' end, upper(part.coin)
  from (
    select found[1] as sign,
      (replace(found[2], ',', '') || coalesce(found[4], ''))::numeric as low,
      ('1e-' || coalesce(length(found[4]) - 1, 0))::numeric as unit,
      found[5] as coin
    from regexp_match(
      translate(lower(p_word), '０１２３４５６７８９．，－−＋', '0123456789.,--+'),
      '^([-+]?)\s*(\d{1,3}(,\d{3}){1,9}|\d{1,30})(\.\d{1,18})?\s*([a-z]{2,10})?$') as found
    where found is not null
  ) as part
$$;

-- The company's transactions of an amount, p_most at the most.
create function causeway.transaction_amount_ids(p_word text, p_most integer) returns uuid[] language sql stable
  set search_path = causeway, pg_temp set enable_seqscan = off as $$
  select array(
    select t.id from amount_of_word(p_word) a, transaction t
    where t.company_id = company_id() and t.amount_whole >= a.low and t.amount_whole < a.high
      and (a.direction is null or t.direction = a.direction) and (a.coin is null or t.coin = a.coin)
    limit p_most);
$$;

-- The company's transactions that a word finds, by text or amount, each once; p_most of either at the most.
create function causeway.transaction_word_ids(p_word text, p_most integer) returns uuid[] language sql stable
  set search_path = causeway, pg_temp as $$
  select array(
    select unnest(transaction_text_ids(p_word, p_most)) union select unnest(transaction_amount_ids(p_word, p_most)));
$$;

grant usage, create on schema causeway to causeway_search;
-- As in 0066, with words that are amounts.
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid', company_id());
  v_word text := lower(p_filter ->> 'keyword');
  v_ids uuid[];
  v_amount record;
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

-- As in 0014, with words that are amounts.
create or replace function causeway.transaction_search_count(p_filter jsonb, p_most integer) returns bigint language plpgsql stable
  security definer set search_path = causeway, pg_temp set enable_seqscan = off as $$
declare
  v_word text := lower(p_filter ->> 'keyword');
  v_count bigint;
begin
  if p_filter - 'keyword' = '{}' and is_free_text(v_word) then
    return least(cardinality(transaction_word_ids(v_word, p_most)), p_most);
  end if;
  execute format('select count(*) from (select from transaction t where %s limit %s) as matching',
    transaction_filter(p_filter), p_most) into v_count;
  return v_count;
end $$;

alter function causeway.transaction_amount_ids owner to causeway_search;
alter function causeway.transaction_word_ids owner to causeway_search;
revoke create on schema causeway from causeway_search;
revoke execute on function causeway.transaction_amount_ids, causeway.transaction_word_ids from public;
