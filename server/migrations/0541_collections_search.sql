-- Transactions are found by the payment request that they pay, or are a refund of: looked up by their ids.
grant select on causeway.payment_request_payment, causeway.payment_request_refund to causeway_search;
create policy search on causeway.payment_request_payment for select to causeway_search using (true);
create policy search on causeway.payment_request_refund for select to causeway_search using (true);

-- The filter of the lists as it is, with one more condition.
grant create on schema causeway to causeway_search;
do $$
declare
  v_filter constant text := pg_get_functiondef('causeway.transaction_filter(jsonb)'::regprocedure);
  v_before constant text := '  if p_filter ? ''type'' then';
  v_condition constant text := $condition$  if p_filter ? 'request' then
    v_ids := array(
      select p.transaction_id from payment_request_payment p
      where p.company_id = company_id() and p.request_id = (p_filter ->> 'request')::uuid
      union all
      select r.transaction_id from payment_request_refund r
      where r.company_id = company_id() and r.request_id = (p_filter ->> 'request')::uuid);
    v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
  end if;
$condition$;
begin
  if strpos(v_filter, v_before) = 0 then raise exception 'the filter of transactions has another form'; end if;
  execute replace(v_filter, v_before, v_condition || v_before);
end $$;
revoke create on schema causeway from causeway_search;
