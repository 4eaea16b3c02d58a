-- What was received at addresses of a company, by coin: deposits that were taken away again do not count. It runs as its owner, since
-- row-level security would keep the planner from the index by ends; the company is the session's.
create function causeway.deposits_to_addresses(p_chain_id text, p_addresses text[])
  returns table (address text, coin text, deposits bigint, credited numeric, waiting numeric) language sql stable
  security definer set search_path = causeway, pg_temp as $$
  select t.payee_account, t.coin, count(*), coalesce(sum(t.quantity) filter (where t.status = 'completed'), 0),
    coalesce(sum(t.quantity) filter (where t.status = 'pending'), 0)
  from unnest(p_addresses) as asked (address)
  join transaction t on t.company_id = company_id() and address_ending(t.payee_account) = address_ending(asked.address)
    and t.payee_account = asked.address and t.chain_id = p_chain_id
  where t.type = 'chain_deposit' and t.status in ('completed', 'pending')
  group by t.payee_account, t.coin;
$$;
grant create on schema causeway to causeway_search;
alter function causeway.deposits_to_addresses owner to causeway_search;
revoke create on schema causeway from causeway_search;
revoke execute on function causeway.deposits_to_addresses from public;
grant execute on function causeway.deposits_to_addresses to causeway_app, causeway_look;
