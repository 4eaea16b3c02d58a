-- The search says itself that the operator's collections are not among a company's transactions. As a policy of its role it kept the planner
-- from the indexes of amounts and addresses, whose comparisons may not run before a policy's.
alter policy operators_own on causeway.transaction to causeway_app, causeway_batch;

grant create on schema causeway to causeway_search;
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid and t.type <> ''fee_withdraw''', company_id());
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
