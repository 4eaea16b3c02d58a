-- Postings of several companies in one call, for transactions of several companies (0091), and batches of postings that are
-- written before anything is looked up. Both use ledger_post_all.

-- Of two indexes that cost the same, as all do while a table is small, the planner takes the one made later. By the primary key
-- one account is found, by the other all of its company.
alter table causeway.ledger_entry drop constraint ledger_entry_company_id_account_id_fkey;
alter table causeway.ledger_account drop constraint ledger_account_pkey, add primary key (company_id, id);
alter table causeway.ledger_entry add foreign key (company_id, account_id) references causeway.ledger_account (company_id, id) not enforced;

-- Writes postings with their entries and balances: all of them, or it raises as ledger_post does. Items are numbered from 1 by
-- their place in p_companies, p_ids, p_kinds, p_source_ids and p_descriptions; legs run in parallel in p_items (which item),
-- p_accounts, p_amounts, and an account is looked for in the company of its item. Items whose p_accepted is false are left out.
-- Each row, also of an account that is only read, must belong to one of company_ids(): the function runs as causeway_ledger, whom
-- the policies below admit.
-- The settings leave one way to find an account, by its primary key: plans are kept, and one that was made while the tables
-- were small would read the whole table later.
create function causeway.ledger_post_all(
  p_companies uuid[], p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[], p_accepted boolean[] default null
) returns void language plpgsql security definer
  set search_path = causeway, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
declare
  v_now timestamptz;
  v_is_unknown boolean;
  v_is_broken boolean;
  v_is_unbalanced boolean;
begin
  -- In one order for all, so that two who post the same wait for each other on one side only.
  insert into ledger_posting (company_id, id, kind, source_id, description)
  select n.company_id, n.id, n.kind, n.source_id, n.description
  from unnest(p_companies, p_ids, p_kinds, p_source_ids, p_descriptions, p_accepted)
    as n (company_id, id, kind, source_id, description, accepted)
  where n.accepted is not false order by n.source_id, n.kind, n.company_id;

  -- In a statement of its own, so that the next one sees what those wrote who held the accounts before; in the order of ids, in which
  -- all lock.
  perform from (
    select distinct n.account_id, p_companies[n.item] as company_id from unnest(p_items, p_accounts) as n (item, account_id)
    order by account_id, company_id
  ) l
  cross join lateral (
    select from ledger_account o where o.company_id = l.company_id and o.id = l.account_id for no key update
  ) locked;

  v_now := clock_timestamp();
  with leg as materialized (
    select l.item, l.company_id, l.account_id, l.amount, a.asset_id, a.normal,
      a.balance + sum(l.amount) over turns as balance,
      a.version + row_number() over turns as version,
      lead(l.item) over turns is null as is_last,
      greatest(a.moved_at, v_now) as moved_at
    from (
      select n.account_id, p_companies[n.item] as company_id, n.item, n.amount
      from unnest(p_items, p_accounts, p_amounts) as n (item, account_id, amount)
      where p_accepted[n.item] is not false
    ) l
    join ledger_account a on a.company_id = l.company_id and a.id = l.account_id
    window turns as (partition by l.account_id, l.company_id order by l.item rows unbounded preceding)
  ), moved as (
    update ledger_account a set balance = leg.balance, version = leg.version, moved_at = leg.moved_at
    from leg where leg.is_last and a.company_id = leg.company_id and a.id = leg.account_id
  ), written as (
    insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
    select company_id, account_id, version, p_ids[item], asset_id, amount, balance, moved_at from leg
  )
  select count(*) <> (select count(*) from unnest(p_items) as i (item) where p_accepted[i.item] is not false),
    exists (select from leg group by item, asset_id having sum(amount) <> 0), bool_or(ledger_is_broken(normal, balance))
  into v_is_unknown, v_is_unbalanced, v_is_broken from leg;
  if v_is_unknown or v_is_unbalanced or v_is_broken then
    perform ledger_refuse(v_is_unknown, v_is_unbalanced);
  end if;
end $$;

call causeway.admit_batches('causeway.ledger_account', 'select');
alter policy batch_select on causeway.ledger_account to causeway_batch, causeway_ledger;
create policy batch_update on causeway.ledger_account for update to causeway_ledger
  using (company_id = any ((select causeway.company_ids())::uuid[])) with check (company_id = any ((select causeway.company_ids())::uuid[]));
create policy batch_insert on causeway.ledger_posting for insert to causeway_ledger
  with check (company_id = any ((select causeway.company_ids())::uuid[]));
create policy batch_insert on causeway.ledger_entry for insert to causeway_ledger
  with check (company_id = any ((select causeway.company_ids())::uuid[]));
grant select, update (balance, version, moved_at) on causeway.ledger_account to causeway_ledger;
grant insert (company_id, id, kind, source_id, description) on causeway.ledger_posting to causeway_ledger;
grant insert on causeway.ledger_entry to causeway_ledger;

-- Arguments and answers as 0012 has them. Nearly every batch is accepted whole, so all of it is written without a look-up; the
-- unique key or a balance refuses it otherwise. Then nothing of it stays, and each item is decided in its turn behind the locks.
create or replace function causeway.ledger_post_batch(
  p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[]
) returns text[] language plpgsql security definer
  set search_path = causeway, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_companies uuid[] := array_fill(company_id(), array[cardinality(p_ids)]);
  v_fresh boolean[];
  v_accepted boolean[];
begin
  if company_id() is null then
    raise exception 'no company is set' using errcode = 'CW003';
  end if;
  begin
    perform ledger_post_all(v_companies, p_ids, p_kinds, p_source_ids, p_descriptions, p_items, p_accounts, p_amounts);
    return array_fill('posted'::text, array[cardinality(p_ids)]);
  exception when unique_violation or check_violation then
    perform ledger_batch_lock(p_accounts);
  end;
  -- A statement of its own after the locks, so that it sees what those wrote who held them before.
  v_fresh := ledger_batch_fresh(p_kinds, p_source_ids);
  v_accepted := ledger_batch_decide(p_items, p_accounts, p_amounts, v_fresh);
  perform ledger_post_all(v_companies, p_ids, p_kinds, p_source_ids, p_descriptions, p_items, p_accounts, p_amounts, v_accepted);
  return array(
    select case when o.accepted then 'posted' when o.fresh then 'insufficient' else 'repeated' end
    from unnest(v_fresh, v_accepted) with ordinality as o (fresh, accepted, item) order by o.item);
end $$;
drop function causeway.ledger_batch_write;

revoke execute on function causeway.ledger_post_all from public;
grant execute on function causeway.ledger_refuse to causeway_ledger;
grant execute on function causeway.ledger_post_all to causeway_app, causeway_worker, causeway_batch;
grant create on schema causeway to causeway_ledger;
alter function causeway.ledger_post_all owner to causeway_ledger;
revoke create on schema causeway from causeway_ledger;
-- For ledger_post_batch. The right that causeway_owner had as the function's owner went with it.
set local role causeway_ledger;
grant execute on function causeway.ledger_post_all to causeway_owner;
set local role causeway_owner;
