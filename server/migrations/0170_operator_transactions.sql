-- Transactions across companies, for the operator's console.

-- The list of all companies' transactions by time. Rows come in this order, so each is written at the index's end. Filters need no index of
-- their own: they go through the companies' indexes, company by company, a page of each.
create index transaction_any_time on causeway.transaction (created_at desc, id desc);

-- Free text over all companies: the index of texts has the company as one of its columns, and serves without it.
create policy console_reads on causeway.transaction_text for select to causeway_console using (true);
grant select on causeway.transaction_text to causeway_console;
grant execute on function causeway.transaction_text_condition to causeway_console;

-- A transaction's explanation names the test transfer that it belongs to.
grant select on causeway.transfer_test, causeway.transfer_rest to causeway_operator, causeway_console;
grant select on causeway.chain_own_address to causeway_console;

-- What the outbox still holds about a transaction: names and times, no payload. Rows leave it within a second while a worker runs.
create policy lookup on causeway.outbox for select to causeway_lookup using (true);
grant select on causeway.outbox to causeway_lookup;
grant create on schema causeway to causeway_lookup;
create function causeway.outbox_about(p_company_id uuid, p_id uuid)
  returns table (name text, announced_at timestamptz) language sql stable
  security definer set search_path = causeway, pg_temp as $$
  select o.name, o.created_at from outbox o
  where o.company_id = p_company_id and o.name <> 'live' and strpos(o.payload::text, p_id::text) > 0
  order by o.created_at, o.id limit 50
$$;
alter function causeway.outbox_about owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.outbox_about from public;
grant execute on function causeway.outbox_about to causeway_console;
