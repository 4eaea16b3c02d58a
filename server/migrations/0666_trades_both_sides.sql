-- Both sides of a trade see the same sums and the same state where both are companies here (docs/adr/0101-…): what was frozen, paid and is being paid, and
-- the hash of the latest payment. Nothing else of the buyer: no wallet, no names, no approvals, no notes.

create index trade_of_buyer on causeway.trade (id) where side = 'buyer';

-- What the buyer's copy says of a trade that this company sells. A confirmation that waits for approval is none yet. No row: the buyer is no company here.
-- It reads with the rights of its caller, so a company that calls it sees nothing of another.
create function causeway.trade_facts(p_seller_id uuid, p_trade_id uuid) returns table (state text, quantity numeric, refunded numeric, frozen numeric,
  released numeric, paid numeric, hash text, released_milestones text[], paid_milestones text[])
language sql stable set search_path = causeway, pg_temp as $$
  select case b.state when 'waiting_approval' then 'open' else b.state end, b.quantity, b.refunded,
    case b.state when 'frozen' then b.frozen else 0 end, r.released, r.paid, r.hash, r.released_milestones, r.paid_milestones
  from trade s
  join trade b on b.id = s.id and b.side = 'buyer' and b.company_id <> s.company_id and b.chain_id = s.chain_id and b.asset_id = s.asset_id
    and b.payer_wallet = s.payer_wallet and b.payee_wallet = s.payee_wallet
  cross join lateral (
    select coalesce(sum(e.amount) filter (where p.status <> 'failed'), 0) as released,
      coalesce(sum(e.amount) filter (where p.status = 'completed'), 0) as paid,
      (array_agg(o.hash order by e.at desc) filter (where o.hash is not null))[1] as hash,
      coalesce(array_agg(e.milestone_id) filter (where p.status <> 'failed'), '{}') as released_milestones,
      coalesce(array_agg(e.milestone_id) filter (where p.status = 'completed'), '{}') as paid_milestones
    from trade_release e
    join transaction p on p.company_id = e.company_id and p.id = e.transaction_id
    left join transaction_chain o on o.company_id = e.company_id and o.transaction_id = e.transaction_id
    where e.company_id = b.company_id and e.trade_id = b.id
  ) r
  where s.company_id = p_seller_id and s.id = p_trade_id and s.side = 'seller'
$$;

-- The same for the company of the transaction, and for no other.
create function causeway.trade_of_buyer(p_trade_id uuid) returns table (state text, quantity numeric, refunded numeric, frozen numeric,
  released numeric, paid numeric, hash text, released_milestones text[], paid_milestones text[])
language sql stable security definer set search_path = causeway, pg_temp as $$
  select * from trade_facts(company_id(), p_trade_id)
$$;

grant usage, create on schema causeway to causeway_lookup;
grant select (company_id, id, side, state, chain_id, asset_id, quantity, refunded, frozen, payer_wallet, payee_wallet) on causeway.trade to causeway_lookup;
create policy lookup on causeway.trade for select to causeway_lookup using (true);
grant select (company_id, transaction_id, trade_id, milestone_id, amount, at) on causeway.trade_release to causeway_lookup;
create policy lookup on causeway.trade_release for select to causeway_lookup using (true);
create policy lookup_released on causeway.transaction for select to causeway_lookup
  using (exists (select from causeway.trade_release r where r.company_id = transaction.company_id and r.transaction_id = transaction.id));
grant select (hash) on causeway.transaction_chain to causeway_lookup;
alter function causeway.trade_of_buyer owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.trade_facts, causeway.trade_of_buyer from public;
grant execute on function causeway.trade_of_buyer to causeway_app, causeway_worker, causeway_look;
grant execute on function causeway.trade_facts to causeway_lookup, causeway_operator, causeway_console;

-- The worker has the other side's pages read again.
grant execute on function causeway.trade_sides to causeway_worker;
