-- Posting at less than half its cost, and many postings in one call. Nothing is given up: the same constraints, foreign
-- keys, fences and the same check that entries sum to zero. Figures: docs/PERFORMANCE.md.

-- PostgreSQL reads every CHECK of a table anew in each statement that writes it, also of columns that the statement
-- leaves alone; a domain's is looked at only when a value comes in.
create domain causeway.ledger_account_kind as text
  check (value in ('available', 'outbound', 'inbound', 'chain', 'bank', 'fee', 'gas', 'fx', 'escrow', 'deficit'));
create domain causeway.ledger_account_normal as text check (value in ('credit', 'debit', 'any'));
alter table causeway.ledger_account
  drop constraint ledger_account_kind_check,
  drop constraint ledger_account_normal_check,
  alter column kind type causeway.ledger_account_kind,
  alter column normal type causeway.ledger_account_normal;

-- Without a search path of its own, which would be set and taken back for each statement: it names no table but the
-- transition table.
create or replace function causeway.ledger_entry_balanced() returns trigger language plpgsql as $$
begin
  if exists (select from added group by company_id, posting_id, asset_id having sum(amount) <> 0) then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  return null;
end $$;

-- As 0006 has it, with a short way for two legs, which nearly every posting has: the two updates are the locks, taken in
-- the order of the accounts' ids.
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
  if cardinality(p_accounts) <> 2 or cardinality(p_amounts) <> 2 then
    perform ledger_post_legs(p_id, p_kind, p_source_id, p_description, p_corrects_id, p_accounts, p_amounts);
    return;
  end if;

  if p_accounts[1] > p_accounts[2] then
    v_low := 2;
    v_high := 1;
  end if;
  update ledger_account set balance = balance + p_amounts[v_low], version = version + 1
  where company_id = v_company and id = p_accounts[v_low] returning asset_id, balance, version into v_first;
  update ledger_account set balance = balance + p_amounts[v_high], version = version + 1
  where company_id = v_company and id = p_accounts[v_high] returning asset_id, balance, version into v_second;
  if v_first is null or v_second is null or p_accounts[1] = p_accounts[2] then
    raise exception 'the posting names an account that is not here, or names one twice' using errcode = 'CW003';
  end if;

  insert into ledger_posting (company_id, id, kind, source_id, description, corrects_id)
  values (v_company, p_id, p_kind, p_source_id, p_description, p_corrects_id);
  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after) values
    (v_company, p_accounts[v_low], v_first.version, p_id, v_first.asset_id, p_amounts[v_low], v_first.balance),
    (v_company, p_accounts[v_high], v_second.version, p_id, v_second.asset_id, p_amounts[v_high], v_second.balance);
end $$;

-- Any number of legs: locks first, then writes. Nobody may call it but ledger_post, which runs as the owner.
create function causeway.ledger_post_legs(
  p_id uuid, p_kind text, p_source_id uuid, p_description text, p_corrects_id uuid, p_accounts uuid[], p_amounts numeric[]
) returns void language plpgsql set search_path = causeway, pg_temp as $$
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
  if v_locked <> cardinality(p_accounts) or cardinality(p_accounts) <> cardinality(p_amounts) then
    raise exception 'the posting names an account that is not here, or names one twice' using errcode = 'CW003';
  end if;

  insert into ledger_posting (company_id, id, kind, source_id, description, corrects_id)
  values (v_company, p_id, p_kind, p_source_id, p_description, p_corrects_id);

  with moved as (
    update ledger_account a
    set balance = a.balance + m.amount, version = a.version + 1
    from unnest(p_accounts, p_amounts) as m (account_id, amount)
    where a.company_id = v_company and a.id = m.account_id
    returning a.id, a.asset_id, m.amount, a.balance, a.version
  )
  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after)
  select v_company, id, version, p_id, asset_id, amount, balance from moved;
end $$;

-- Many postings in one call. Items are numbered from 1 by their place in p_ids, p_kinds, p_source_ids, p_descriptions;
-- legs run in parallel in p_items (which item), p_accounts, p_amounts. All accounts are locked first, in order; then each
-- item is decided by itself, in turn, as if posted alone. Answers per item: 'posted'; 'repeated', this source has had
-- this kind of posting before (or earlier in this call); 'insufficient', a balance would have broken its sign.
-- Raises CW002 and CW003 as ledger_post does, for the whole call: those are errors of the caller.
create function causeway.ledger_post_batch(
  p_ids uuid[], p_kinds text[], p_source_ids uuid[], p_descriptions text[],
  p_items integer[], p_accounts uuid[], p_amounts numeric[]
) returns text[] language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_fresh boolean[];
  v_accepted boolean[];
  v_broken integer;
  v_known integer;
  v_legs_items integer[];
  v_legs_accounts uuid[];
  v_legs_amounts numeric[];
  v_legs_assets text[];
  v_legs_balances numeric[];
  v_legs_versions bigint[];
begin
  if v_company is null then
    raise exception 'no company is set' using errcode = 'CW003';
  end if;

  with locked as (
    select a.id from ledger_account a
    where a.company_id = v_company and a.id = any (p_accounts)
    order by a.id for no key update
  )
  select count(*) into v_known from locked;
  if v_known <> (select count(distinct a) from unnest(p_accounts) as a) then
    raise exception 'the batch names an account that is not here' using errcode = 'CW003';
  end if;

  -- A statement of its own after the locks, so that it sees what those wrote who held them before.
  select array_agg(i.turn = 1 and p.id is null order by i.item) into v_fresh
  from (
    select n.item, n.source_id, n.kind, row_number() over (partition by n.source_id, n.kind order by n.item) as turn
    from unnest(p_source_ids, p_kinds) with ordinality as n (source_id, kind, item)
  ) i
  left join ledger_posting p on p.company_id = v_company and p.source_id = i.source_id and p.kind = i.kind;
  v_accepted := v_fresh;

  -- Takes all that is left as accepted; the first item that then breaks a balance is the one that alone, in its turn,
  -- would have been refused. Without it, once more.
  loop
    select array_agg(r.item), array_agg(r.account_id), array_agg(r.amount), array_agg(r.asset_id), array_agg(r.balance),
      array_agg(r.version),
      min(r.item) filter (where r.normal = 'credit' and r.balance < 0 or r.normal = 'debit' and r.balance > 0)
    into v_legs_items, v_legs_accounts, v_legs_amounts, v_legs_assets, v_legs_balances, v_legs_versions, v_broken
    from (
      select l.item, l.account_id, l.amount, a.asset_id, a.normal, a.balance + sum(l.amount) over turns as balance,
        a.version + row_number() over turns as version
      from unnest(p_items, p_accounts, p_amounts) as l (item, account_id, amount)
      join ledger_account a on a.company_id = v_company and a.id = l.account_id
      where v_accepted[l.item]
      window turns as (partition by l.account_id order by l.item rows unbounded preceding)
    ) r;
    exit when v_broken is null;
    v_accepted[v_broken] := false;
  end loop;

  insert into ledger_posting (company_id, id, kind, source_id, description)
  select v_company, n.id, n.kind, n.source_id, n.description
  from unnest(p_ids, p_kinds, p_source_ids, p_descriptions, v_accepted) as n (id, kind, source_id, description, accepted)
  where n.accepted;

  update ledger_account a set balance = last.balance, version = last.version
  from (
    select distinct on (l.account_id) l.account_id, l.balance, l.version
    from unnest(v_legs_accounts, v_legs_balances, v_legs_versions) as l (account_id, balance, version)
    order by l.account_id, l.version desc
  ) last
  where a.company_id = v_company and a.id = last.account_id;

  insert into ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after)
  select v_company, l.account_id, l.version, p_ids[l.item], l.asset_id, l.amount, l.balance
  from unnest(v_legs_items, v_legs_accounts, v_legs_amounts, v_legs_assets, v_legs_balances, v_legs_versions)
    as l (item, account_id, amount, asset_id, balance, version);

  return array(
    select case when o.accepted then 'posted' when o.fresh then 'insufficient' else 'repeated' end
    from unnest(v_fresh, v_accepted) with ordinality as o (fresh, accepted, item) order by o.item);
end $$;
revoke execute on function causeway.ledger_post_legs, causeway.ledger_post_batch from public;
grant execute on function causeway.ledger_post_batch to causeway_app, causeway_worker;
