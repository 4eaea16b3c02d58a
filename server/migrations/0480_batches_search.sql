-- Transactions are found by the batch that they pay a row of, and by its run. A run has at most 5,000: they are looked up by their ids.
grant select on causeway.payout_batch_run, causeway.payout_batch_entry to causeway_search;
create policy search on causeway.payout_batch_run for select to causeway_search using (true);
create policy search on causeway.payout_batch_entry for select to causeway_search using (true);

-- As in 0316, with batch and run.
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
  if p_filter ? 'batchId' or p_filter ? 'batchRunId' then
    v_ids := array(
      select e.transaction_id from payout_batch_run r join payout_batch_entry e on e.company_id = r.company_id and e.run_id = r.id
      where r.company_id = company_id() and r.batch_id = coalesce((p_filter ->> 'batchId')::uuid, r.batch_id)
        and r.id = coalesce((p_filter ->> 'batchRunId')::uuid, r.id));
    v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
  end if;
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
