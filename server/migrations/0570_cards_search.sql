-- Transactions are found by the card that paid them or was refunded.
grant select (company_id, id, card_id) on causeway.card_purchase, causeway.card_refund to causeway_search;
create policy search on causeway.card_purchase for select to causeway_search using (true);
create policy search on causeway.card_refund for select to causeway_search using (true);

-- The filter of the lists as it is, with one more condition.
grant create on schema causeway to causeway_search;
do $$
declare
  v_filter constant text := pg_get_functiondef('causeway.transaction_filter(jsonb)'::regprocedure);
  v_place constant text := '  if p_filter ? ''type'' then';
begin
  if strpos(v_filter, v_place) = 0 then raise exception 'the filter of transactions has another form'; end if;
  execute replace(v_filter, v_place, $card$  if p_filter ? 'cardId' then
    v_where := v_where || format(
      ' and t.id in (select p.id from card_purchase p where p.company_id = %1$L::uuid and p.card_id = %2$L::uuid
         union all select r.id from card_refund r where r.company_id = %1$L::uuid and r.card_id = %2$L::uuid)',
      company_id(), p_filter ->> 'cardId');
  end if;
$card$ || v_place);
end $$;
revoke create on schema causeway from causeway_search;
