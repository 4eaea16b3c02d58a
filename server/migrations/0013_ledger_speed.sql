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
create index ledger_entry_time on causeway.ledger_entry (company_id, account_id, created_at) where sequence % 64 = 0;

-- The sign a healthy balance has, as ledger_account_balance says it.
create function causeway.ledger_is_broken(p_normal text, p_balance numeric) returns boolean
  language sql immutable parallel safe
  return p_normal = 'credit' and p_balance < 0 or p_normal = 'debit' and p_balance > 0;

-- As 0012 has it. The posting is written first, before any account is locked: others wait for a busy account no longer
-- than its balance, its entry and the commit take.
-- Raises CW002 not zero in one asset; CW003 an account is unknown (another company's, or none) or named twice;
-- foreign_key_violation when what it corrects is not there; check_violation of ledger_account_balance when a balance would
-- break its sign; unique_violation of ledger_posting_company_id_source_id_kind_key when this source has had this kind already.
create or replace function causeway.ledger_post(
  p_id uuid, p_kind text, p_source_id uuid, p_description text, p_corrects_id uuid, p_accounts uuid[], p_amounts numeric[]
) returns void language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_low integer := 1;
  v_high integer := 2;
  v_first record;
  v_second record;
begin
  if v_company is null then
    raise exception 'no company is set' using errcode = 'CW003';
  end if;
  if p_corrects_id is not null
    and not exists (select from ledger_posting where company_id = v_company and id = p_corrects_id) then
    raise foreign_key_violation using message = 'the posting corrects one that is not here';
  end if;
  insert into ledger_posting (company_id, id, kind, source_id, description, corrects_id)
  values (v_company, p_id, p_kind, p_source_id, p_description, p_corrects_id);
  if cardinality(p_accounts) <> 2 or cardinality(p_amounts) <> 2 then
    perform ledger_write_legs(p_id, p_accounts, p_amounts);
    return;
  end if;

  -- The two updates are the locks, taken in the order of the accounts' ids.
  if p_accounts[1] > p_accounts[2] then
    v_low := 2;
    v_high := 1;
  end if;
  update ledger_account
  set balance = balance + p_amounts[v_low], version = version + 1, moved_at = greatest(moved_at, clock_timestamp())
  where company_id = v_company and id = p_accounts[v_low]
  returning asset_id, normal, balance, version, moved_at into v_first;
  update ledger_account
  set balance = balance + p_amounts[v_high], version = version + 1, moved_at = greatest(moved_at, clock_timestamp())
  where company_id = v_company and id = p_accounts[v_high]
  returning asset_id, normal, balance, version, moved_at into v_second;
  if v_first.version is null or v_second.version is null or p_accounts[1] = p_accounts[2] then
    raise exception 'the posting names an account that is not here, or names one twice' using errcode = 'CW003';
  end if;
  if p_amounts[1] + p_amounts[2] <> 0 or v_first.asset_id <> v_second.asset_id then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  if ledger_is_broken(v_first.normal, v_first.balance) or ledger_is_broken(v_second.normal, v_second.balance) then
    raise check_violation using message = 'a balance would break its sign', constraint = 'ledger_account_balance';
  end if;

  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at) values
    (v_company, p_accounts[v_low], v_first.version, p_id, v_first.asset_id, p_amounts[v_low], v_first.balance, v_first.moved_at),
    (v_company, p_accounts[v_high], v_second.version, p_id, v_second.asset_id, p_amounts[v_high], v_second.balance, v_second.moved_at);
end $$;

-- The accounts and entries of one posting with any number of legs: locks first, then writes. For ledger_post alone.
create function causeway.ledger_write_legs(p_id uuid, p_accounts uuid[], p_amounts numeric[]) returns void
  language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_locked integer;
  v_is_broken boolean;
  v_is_unbalanced boolean;
begin
  with locked as (
    select a.id from ledger_account a
    where a.company_id = v_company and a.id = any (p_accounts)
    order by a.id for no key update
  )
  select count(*) into v_locked from locked;
  if v_locked = 0 or v_locked <> cardinality(p_accounts) or v_locked <> cardinality(p_amounts) then
    raise exception 'the posting names an account that is not here, or names one twice' using errcode = 'CW003';
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
  if v_is_unbalanced then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  if v_is_broken then
    raise check_violation using message = 'a balance would break its sign', constraint = 'ledger_account_balance';
  end if;
end $$;
drop function causeway.ledger_post_legs;

-- Many postings in one call; arguments and answers as 0012 has them. Nearly every batch is accepted whole, so that is what
-- is tried: postings first, then the locks, then the rest. If it was not, nothing of it stays, and the careful way decides
-- item by item behind the locks.
create or replace function causeway.ledger_post_batch(
  p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[]
) returns text[] language plpgsql security definer set search_path = causeway, pg_temp as $$
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

-- Locks accounts in the order of their ids. Raises CW003 when one is not here.
create function causeway.ledger_batch_lock(p_accounts uuid[]) returns void
  language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_locked integer;
begin
  with locked as (
    select a.id from ledger_account a
    where a.company_id = v_company and a.id = any (p_accounts)
    order by a.id for no key update
  )
  select count(*) into v_locked from locked;
  if v_locked <> (select count(distinct a) from unnest(p_accounts) as a) then
    raise exception 'the batch names an account that is not here' using errcode = 'CW003';
  end if;
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
  select bool_or(ledger_is_broken(normal, balance)),
    exists (select from leg group by item, asset_id having sum(amount) <> 0)
  into v_is_broken, v_is_unbalanced from leg;
  if v_is_unbalanced then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  if v_is_broken then
    raise exception 'a balance would break its sign' using errcode = 'CW004';
  end if;
end $$;

-- Only the posting functions, which run as the owner, call these.
revoke execute on function causeway.ledger_write_legs, causeway.ledger_batch_fresh, causeway.ledger_batch_lock,
  causeway.ledger_batch_decide, causeway.ledger_batch_write from public;
