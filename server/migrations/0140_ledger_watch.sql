-- The trigger of 0120 cost every posting a seventh: PostgreSQL reads the condition of a trigger again for each statement that writes
-- the table, watched or not. Now the posting functions look at the threshold, which they have in hand; only a watched account costs more.
drop trigger crossed on causeway.ledger_account;
drop function causeway.ledger_announce_crossing();

-- Announces that a balance has fallen below its threshold, or is back; nothing when it is where it was. A balance without a threshold is
-- not below it.
create function causeway.ledger_announce_crossing(
  p_company_id uuid, p_account_id uuid, p_was_below boolean, p_balance numeric, p_below numeric
) returns void language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_is_below boolean := coalesce(p_balance < p_below, false);
begin
  if v_is_below = coalesce(p_was_below, false) then
    return;
  end if;
  insert into outbox (company_id, id, name, payload)
  select a.company_id, uuidv7(), 'ledger.crossed', jsonb_build_object(
    'crossingId', uuidv7(), 'accountId', a.id, 'ownerId', a.owner_id, 'isBelow', v_is_below,
    'balanceMinor', p_balance::text, 'watchBelowMinor', p_below::text)
  from ledger_account a where a.company_id = p_company_id and a.id = p_account_id;
end $$;
revoke execute on function causeway.ledger_announce_crossing from public;
grant execute on function causeway.ledger_announce_crossing to causeway_ledger;

create or replace function causeway.ledger_watch(p_account_id uuid, p_below numeric) returns void
language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_account record;
begin
  update ledger_account set watch_below = p_below where company_id = company_id() and id = p_account_id
  returning company_id, balance, old.watch_below as watched_below into v_account;
  perform ledger_announce_crossing(v_account.company_id, p_account_id,
    v_account.balance < v_account.watched_below, v_account.balance, p_below);
end $$;

-- As 0013 has it, with crossings.
create or replace function causeway.ledger_post(
  p_id uuid, p_kind text, p_source_id uuid, p_description text, p_corrects_id uuid, p_accounts uuid[], p_amounts numeric[]
) returns void language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_low record;
  v_high record;
begin
  insert into ledger_posting (company_id, id, kind, source_id, description, corrects_id)
  values (v_company, p_id, p_kind, p_source_id, p_description, p_corrects_id);
  if p_corrects_id is not null or p_accounts[1] >= p_accounts[2] or cardinality(p_accounts) <> 2 then
    perform ledger_write_legs(p_corrects_id, p_id, p_accounts, p_amounts);
    return;
  end if;

  update ledger_account
  set balance = balance + p_amounts[1], version = version + 1, moved_at = greatest(moved_at, clock_timestamp())
  where company_id = v_company and id = p_accounts[1]
  returning asset_id, normal, balance, version, moved_at, watch_below into v_low;
  update ledger_account
  set balance = balance + p_amounts[2], version = version + 1, moved_at = greatest(moved_at, clock_timestamp())
  where company_id = v_company and id = p_accounts[2]
  returning asset_id, normal, balance, version, moved_at, watch_below into v_high;
  -- One expression for nearly all postings: each further one is set up again in each transaction.
  if (v_low.asset_id = v_high.asset_id and p_amounts[1] + p_amounts[2] = 0 and cardinality(p_amounts) = 2
    and not ledger_is_broken(v_low.normal, v_low.balance) and not ledger_is_broken(v_high.normal, v_high.balance)
    and coalesce(v_low.watch_below, v_high.watch_below) is null) is not true
  then
    if (v_low.asset_id = v_high.asset_id and p_amounts[1] + p_amounts[2] = 0 and cardinality(p_amounts) = 2
      and not ledger_is_broken(v_low.normal, v_low.balance) and not ledger_is_broken(v_high.normal, v_high.balance)) is not true
    then
      perform ledger_refuse(v_low.asset_id is null or v_high.asset_id is null,
        v_low.asset_id <> v_high.asset_id or p_amounts[1] + p_amounts[2] <> 0 or cardinality(p_amounts) <> 2);
    end if;
    perform ledger_announce_crossing(v_company, p_accounts[1],
      v_low.balance - p_amounts[1] < v_low.watch_below, v_low.balance, v_low.watch_below);
    perform ledger_announce_crossing(v_company, p_accounts[2],
      v_high.balance - p_amounts[2] < v_high.watch_below, v_high.balance, v_high.watch_below);
  end if;

  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at) values
    (v_company, p_accounts[1], v_low.version, p_id, v_low.asset_id, p_amounts[1], v_low.balance, v_low.moved_at),
    (v_company, p_accounts[2], v_high.version, p_id, v_high.asset_id, p_amounts[2], v_high.balance, v_high.moved_at);
end $$;

-- As 0013 has it, with crossings.
create or replace function causeway.ledger_write_legs(p_corrects_id uuid, p_id uuid, p_accounts uuid[], p_amounts numeric[])
  returns void
  language plpgsql set search_path = causeway, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_company uuid := company_id();
  v_locked integer;
  v_is_broken boolean;
  v_is_unbalanced boolean;
  v_is_watched boolean;
begin
  if p_corrects_id is not null then
    if not exists (select from ledger_posting where company_id = v_company and id = p_corrects_id) then
      raise foreign_key_violation using message = 'the posting corrects one that is not here';
    end if;
  end if;
  with locked as (
    select a.id from ledger_account a
    where a.company_id = v_company and a.id = any (p_accounts)
    order by a.id for no key update
  )
  select count(*) into v_locked from locked;
  if v_locked = 0 or v_locked <> cardinality(p_accounts) then
    perform ledger_refuse(true, null);
  end if;

  with moved as (
    update ledger_account a
    set balance = a.balance + m.amount, version = a.version + 1, moved_at = greatest(a.moved_at, clock_timestamp())
    from unnest(p_accounts, p_amounts) as m (account_id, amount)
    where a.company_id = v_company and a.id = m.account_id
    returning a.id, a.asset_id, a.normal, m.amount, a.balance, a.version, a.moved_at, a.watch_below
  ), written as (
    insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
    select v_company, id, version, p_id, asset_id, amount, balance, moved_at from moved
  )
  select bool_or(ledger_is_broken(normal, balance)), bool_or(watch_below is not null),
    exists (select from moved group by asset_id having sum(amount) <> 0)
  into v_is_broken, v_is_watched, v_is_unbalanced from moved;
  if v_is_unbalanced or v_is_broken then
    perform ledger_refuse(false, v_is_unbalanced);
  end if;
  if v_is_watched then
    perform ledger_announce_crossing(v_company, a.id, a.balance - m.amount < a.watch_below, a.balance, a.watch_below)
    from unnest(p_accounts, p_amounts) as m (account_id, amount)
    join ledger_account a on a.company_id = v_company and a.id = m.account_id
    where a.watch_below is not null;
  end if;
end $$;

-- As 0092 has it, with crossings: an account is looked at before the first and after the last of its entries.
grant create on schema causeway to causeway_ledger;
set local role causeway_ledger;
create or replace function causeway.ledger_post_all(
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
  v_watched jsonb;
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
    select l.item, l.company_id, l.account_id, l.amount, a.asset_id, a.normal, a.watch_below,
      a.balance < a.watch_below as was_below,
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
    exists (select from leg group by item, asset_id having sum(amount) <> 0), bool_or(ledger_is_broken(normal, balance)),
    jsonb_agg(to_jsonb(leg)) filter (where is_last and watch_below is not null)
  into v_is_unknown, v_is_unbalanced, v_is_broken, v_watched from leg;
  if v_is_unknown or v_is_unbalanced or v_is_broken then
    perform ledger_refuse(v_is_unknown, v_is_unbalanced);
  end if;
  if v_watched is not null then
    perform ledger_announce_crossing(w.company_id, w.account_id, w.was_below, w.balance, w.watch_below)
    from jsonb_to_recordset(v_watched)
      as w (company_id uuid, account_id uuid, was_below boolean, balance numeric, watch_below numeric);
  end if;
end $$;
set local role causeway_owner;
revoke create on schema causeway from causeway_ledger;
