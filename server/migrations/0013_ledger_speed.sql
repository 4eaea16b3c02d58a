-- Posting once more, at about half the cost. The guarantees stay; some are now kept by the posting functions themselves,
-- which lock the accounts they write and are the only way in, instead of by a constraint that asks again row by row.
-- `ledger:verify` recomputes all of them. Figures: docs/PERFORMANCE.md.

-- NOT ENFORCED: the rule stands in the schema for those who read it; the functions below keep it. An entry is written only
-- beside its posting and for accounts that the same function has just locked; a correction's target is looked up there.
alter table causeway.ledger_posting
  alter constraint ledger_posting_company_id_corrects_id_fkey not enforced;
alter table causeway.ledger_entry
  alter constraint ledger_entry_company_id_account_id_fkey not enforced,
  alter constraint ledger_entry_company_id_posting_id_fkey not enforced;
drop trigger ledger_entry_balanced on causeway.ledger_entry;
drop function causeway.ledger_entry_balanced();
alter table causeway.ledger_account
  drop constraint ledger_account_balance,
  add constraint ledger_account_balance check (
    case normal when 'credit' then balance >= 0 when 'debit' then balance <= 0 else true end) not enforced;

-- A CHECK is parsed anew by each statement; a domain is looked at when a value comes in.
create domain causeway.ledger_amount as numeric(78, 0) check (value <> 0);
alter table causeway.ledger_entry
  drop constraint ledger_entry_amount_check,
  alter column amount type causeway.ledger_amount;

-- The same fence, without the sub-select: it saves a scan of a long list from asking for the company row by row, and costs
-- a statement that touches one row more than the row.
drop policy company on causeway.ledger_account;
drop policy company on causeway.ledger_posting;
drop policy company on causeway.ledger_entry;
create policy company on causeway.ledger_account
  using (company_id = causeway.company_id()) with check (company_id = causeway.company_id());
create policy company on causeway.ledger_posting
  using (company_id = causeway.company_id()) with check (company_id = causeway.company_id());
create policy company on causeway.ledger_entry
  using (company_id = causeway.company_id()) with check (company_id = causeway.company_id());

-- When an account last moved. An entry's time never lies before that of the entry before it in its account, whatever the
-- clock does, so time can be found by place. One entry in 64 is indexed by time; from there it is a short walk.
alter table causeway.ledger_account add column moved_at timestamptz;
drop index causeway.ledger_entry_time;
create index ledger_entry_time on causeway.ledger_entry (company_id, account_id, created_at, sequence)
  where sequence % 64 = 0;

-- The sign a healthy balance has, as ledger_account_balance says it.
create function causeway.ledger_is_broken(p_normal text, p_balance numeric) returns boolean
  language sql immutable parallel safe
  return p_normal = 'credit' and p_balance < 0 or p_normal = 'debit' and p_balance > 0;

-- As 0012 has it. The posting is written first, before any account is locked: others wait for a busy account no longer
-- than its balance, its entry and the commit take. The short way is for two legs in the order of their accounts' ids, which
-- is the order in which all lock; everything else goes by ledger_write_legs. (A PL/pgSQL expression is set up anew in each
-- transaction: few are better than many.)
-- Raises CW002 not zero in one asset; CW003 an account is unknown (another company's, or none) or named twice;
-- foreign_key_violation when what it corrects is not there; check_violation of ledger_account_balance when a balance would
-- break its sign; unique_violation of ledger_posting_company_id_source_id_kind_key when this source has had this kind already.
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
  returning asset_id, normal, balance, version, moved_at into v_low;
  update ledger_account
  set balance = balance + p_amounts[2], version = version + 1, moved_at = greatest(moved_at, clock_timestamp())
  where company_id = v_company and id = p_accounts[2]
  returning asset_id, normal, balance, version, moved_at into v_high;
  if (v_low.asset_id = v_high.asset_id and p_amounts[1] + p_amounts[2] = 0 and cardinality(p_amounts) = 2
    and not ledger_is_broken(v_low.normal, v_low.balance) and not ledger_is_broken(v_high.normal, v_high.balance)) is not true
  then
    perform ledger_refuse(v_low.asset_id is null or v_high.asset_id is null,
      v_low.asset_id <> v_high.asset_id or p_amounts[1] + p_amounts[2] <> 0 or cardinality(p_amounts) <> 2);
  end if;

  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at) values
    (v_company, p_accounts[1], v_low.version, p_id, v_low.asset_id, p_amounts[1], v_low.balance, v_low.moved_at),
    (v_company, p_accounts[2], v_high.version, p_id, v_high.asset_id, p_amounts[2], v_high.balance, v_high.moved_at);
end $$;

-- Says why a posting is refused; what is neither unknown nor unbalanced breaks a balance.
create function causeway.ledger_refuse(p_is_unknown boolean, p_is_unbalanced boolean) returns void language plpgsql as $$
begin
  if p_is_unknown then
    raise exception 'the posting names an account that is not here, or names one twice' using errcode = 'CW003';
  end if;
  if p_is_unbalanced then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  raise check_violation using message = 'a balance would break its sign', constraint = 'ledger_account_balance';
end $$;

-- The accounts and entries of one posting with any number of legs, in any order: locks first, then writes.
create function causeway.ledger_write_legs(p_corrects_id uuid, p_id uuid, p_accounts uuid[], p_amounts numeric[]) returns void
  language plpgsql set search_path = causeway, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_company uuid := company_id();
  v_locked integer;
  v_is_broken boolean;
  v_is_unbalanced boolean;
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
    returning a.id, a.asset_id, a.normal, m.amount, a.balance, a.version, a.moved_at
  ), written as (
    insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
    select v_company, id, version, p_id, asset_id, amount, balance, moved_at from moved
  )
  select bool_or(ledger_is_broken(normal, balance)), exists (select from moved group by asset_id having sum(amount) <> 0)
  into v_is_broken, v_is_unbalanced from moved;
  if v_is_unbalanced or v_is_broken then
    perform ledger_refuse(false, v_is_unbalanced);
  end if;
end $$;
drop function causeway.ledger_post_legs;

-- Many postings in one call; arguments and answers as 0012 has them. Nearly every batch is accepted whole, so that is what
-- is tried: postings first, then the locks, then the rest. If it was not, nothing of it stays, and the careful way decides
-- item by item behind the locks.
create or replace function causeway.ledger_post_batch(
  p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[]
) returns text[] language plpgsql security definer
  set search_path = causeway, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_fresh boolean[];
  v_accepted boolean[];
begin
  if company_id() is null then
    raise exception 'no company is set' using errcode = 'CW003';
  end if;
  v_fresh := ledger_batch_fresh(p_kinds, p_source_ids);
  begin
    v_accepted := v_fresh;
    perform ledger_batch_write(p_ids, p_kinds, p_source_ids, p_descriptions, p_items, p_accounts, p_amounts, v_accepted);
  exception when unique_violation or sqlstate 'CW004' then
    perform ledger_batch_lock(p_accounts);
    -- A statement of its own after the locks, so that it sees what those wrote who held them before.
    v_fresh := ledger_batch_fresh(p_kinds, p_source_ids);
    v_accepted := ledger_batch_decide(p_items, p_accounts, p_amounts, v_fresh);
    perform ledger_batch_write(p_ids, p_kinds, p_source_ids, p_descriptions, p_items, p_accounts, p_amounts, v_accepted);
  end;
  return array(
    select case when o.accepted then 'posted' when o.fresh then 'insufficient' else 'repeated' end
    from unnest(v_fresh, v_accepted) with ordinality as o (fresh, accepted, item) order by o.item);
end $$;

-- Which items have not been posted before, nor stand earlier in the call.
create function causeway.ledger_batch_fresh(p_kinds text[], p_source_ids uuid[]) returns boolean[]
  language sql volatile set search_path = causeway, pg_temp as $$
  select array_agg(i.turn = 1 and p.id is null order by i.item)
  from (
    select n.item, n.source_id, n.kind, row_number() over (partition by n.source_id, n.kind order by n.item) as turn
    from unnest(p_source_ids, p_kinds) with ordinality as n (source_id, kind, item)
  ) i
  left join ledger_posting p on p.company_id = company_id() and p.source_id = i.source_id and p.kind = i.kind;
$$;

-- Locks accounts in the order of their ids; those that are not here are left out.
create function causeway.ledger_batch_lock(p_accounts uuid[]) returns void
  language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
begin
  perform from ledger_account a where a.company_id = v_company and a.id = any (p_accounts) order by a.id for no key update;
end $$;

-- Which of the fresh items are accepted, each in its turn. Takes all as accepted; the first that then breaks a balance is
-- the one that alone, in its turn, would have been refused. Without it, once more. The accounts are locked.
create function causeway.ledger_batch_decide(p_items integer[], p_accounts uuid[], p_amounts numeric[], p_fresh boolean[])
returns boolean[] language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_accepted boolean[] := p_fresh;
  v_broken integer;
begin
  loop
    select min(r.item) filter (where ledger_is_broken(r.normal, r.balance)) into v_broken
    from (
      select l.item, a.normal,
        a.balance + sum(l.amount) over (partition by l.account_id order by l.item rows unbounded preceding) as balance
      from unnest(p_items, p_accounts, p_amounts) as l (item, account_id, amount)
      join ledger_account a on a.company_id = v_company and a.id = l.account_id
      where v_accepted[l.item]
    ) r;
    exit when v_broken is null;
    v_accepted[v_broken] := false;
  end loop;
  return v_accepted;
end $$;

-- Writes the accepted items. Raises CW002 not zero in one asset, CW003 an account is not here, CW004 a balance would break
-- its sign, unique_violation when somebody else has just posted one of them.
create function causeway.ledger_batch_write(
  p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[], p_accepted boolean[]
) returns void language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_now timestamptz;
  v_is_unknown boolean;
  v_is_broken boolean;
  v_is_unbalanced boolean;
begin
  -- In one order for all, so that two who post the same wait for each other on one side only.
  insert into ledger_posting (company_id, id, kind, source_id, description)
  select v_company, n.id, n.kind, n.source_id, n.description
  from unnest(p_ids, p_kinds, p_source_ids, p_descriptions, p_accepted) as n (id, kind, source_id, description, accepted)
  where n.accepted order by n.source_id, n.kind;
  perform ledger_batch_lock(p_accounts);

  v_now := clock_timestamp();
  with leg as materialized (
    select l.item, l.account_id, l.amount, a.asset_id, a.normal,
      a.balance + sum(l.amount) over turns as balance,
      a.version + row_number() over turns as version,
      lead(l.item) over turns is null as is_last,
      greatest(a.moved_at, v_now) as moved_at
    from unnest(p_items, p_accounts, p_amounts) as l (item, account_id, amount)
    join ledger_account a on a.company_id = v_company and a.id = l.account_id
    where p_accepted[l.item]
    window turns as (partition by l.account_id order by l.item rows unbounded preceding)
  ), moved as (
    update ledger_account a set balance = leg.balance, version = leg.version, moved_at = leg.moved_at
    from leg where leg.is_last and a.company_id = v_company and a.id = leg.account_id
  ), written as (
    insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
    select v_company, account_id, version, p_ids[item], asset_id, amount, balance, moved_at from leg
  )
  select count(*) <> (select count(*) from unnest(p_items) as i (item) where p_accepted[i.item]),
    exists (select from leg group by item, asset_id having sum(amount) <> 0), bool_or(ledger_is_broken(normal, balance))
  into v_is_unknown, v_is_unbalanced, v_is_broken from leg;
  if v_is_unknown or v_is_unbalanced then
    perform ledger_refuse(v_is_unknown, v_is_unbalanced);
  end if;
  if v_is_broken then
    raise exception 'a balance would break its sign' using errcode = 'CW004';
  end if;
end $$;

-- Only the posting functions, which run as the owner, call these.
revoke execute on function causeway.ledger_refuse, causeway.ledger_write_legs, causeway.ledger_batch_fresh, causeway.ledger_batch_lock,
  causeway.ledger_batch_decide, causeway.ledger_batch_write from public;
