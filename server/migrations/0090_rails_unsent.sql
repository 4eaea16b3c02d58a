-- Payments of any kind that stand before or in signing for longer than a job takes, as a job that gave up leaves them. Page by
-- page, so that those that cannot go out yet never hide the others; those of frozen wallets wait for the operator. Ids alone.
drop function causeway.transfers_unsent;
drop policy lookup_unsent on causeway.transaction;
drop index causeway.transaction_unsent;

grant usage, create on schema causeway to causeway_lookup;
grant select (company_id, id, frozen_at) on causeway.wallet to causeway_lookup;
create policy lookup_frozen on causeway.wallet for select to causeway_lookup using (frozen_at is not null);
create policy lookup_unsent on causeway.transaction for select to causeway_lookup
  using (status = 'pending' and stage in ('approved', 'signing'));
create index transaction_unsent on causeway.transaction (chain_id, stage_at, id)
  where status = 'pending' and stage in ('approved', 'signing');
create function causeway.payments_unsent(p_chain_id text, p_before timestamptz, p_after_at timestamptz, p_after_id uuid, p_limit integer)
returns table (company_id uuid, id uuid, stage_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select t.company_id, t.id, t.stage_at from transaction t
  where t.chain_id = p_chain_id and t.status = 'pending' and t.stage in ('approved', 'signing') and t.stage_at < p_before
    and (p_after_id is null or (t.stage_at, t.id) > (p_after_at, p_after_id))
    and not exists (select from wallet w where w.company_id = t.company_id and w.id = t.wallet_id and w.frozen_at is not null)
  order by t.stage_at, t.id limit p_limit;
$$;
alter function causeway.payments_unsent owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.payments_unsent from public;
grant execute on function causeway.payments_unsent to causeway_worker;
