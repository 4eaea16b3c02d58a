-- What was paid in and out of wallets, kept so that no page sums the entries of months. Beside a wallet's entries lie cuts: a cut is a place
-- in both accounts that make its balance, `available` and `outbound`, which has all entries of each posting on the same side, and here
-- is what all postings before it came to. What lies between a cut and any other place is read from the entries. Postings know nothing of
-- this: a worker adds cuts behind them (ADR 70), and ledger:verify recomputes them.
create table causeway.ledger_flow (
  company_id uuid not null,
  owner_id uuid not null,
  -- The cut: so many entries of each account are before it.
  available bigint not null,
  outbound bigint not null,
  -- Of the postings; those that move nothing into or out of the two accounts together are not counted.
  kind text not null,
  correcting boolean not null,
  -- Minor units, none negative; a posting that brought something is in the first, one that took something in the second.
  in_minor numeric(78, 0) not null,
  out_minor numeric(78, 0) not null,
  fee_minor numeric(78, 0) not null,
  movements bigint not null,
  primary key (company_id, owner_id, available, outbound, kind, correcting)
);
call causeway.fence('causeway.ledger_flow');
grant select on causeway.ledger_flow to causeway_app, causeway_worker, causeway_operator;

-- Adds the cuts that a wallet lacks, one in every p_every postings; those after the last full one wait. Returns whether there are more: a
-- wallet that is far behind catches up in several calls. The order of postings is the one of statements: two that are in both accounts are in
-- the order of these, which locks make the same in both; between them the time decides.
create function causeway.ledger_keep_flows(p_owner_id uuid, p_every integer default 16) returns boolean
language plpgsql security definer
  -- Few postings and forty thousand want different plans.
  set search_path = causeway, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  c_most constant integer := 40000;
  v_company uuid := company_id();
  v_to record;
  v_from record;
  v_has_more boolean := false;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_flow ' || p_owner_id, 0));
  -- In one statement, so that each posting is before both places or behind both.
  select a.id as available_id, o.id as outbound_id, f.id as fee_id, a.version as available, o.version as outbound into v_to
  from ledger_account a
  join ledger_account o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'outbound'
  left join ledger_account f on f.company_id = a.company_id and f.owner_id = a.owner_id and f.kind = 'fee'
  where a.company_id = v_company and a.owner_id = p_owner_id and a.kind = 'available';
  if not found then
    return false;
  end if;
  select coalesce(max(f.available), 0) as available, coalesce(max(f.outbound), 0) as outbound into v_from
  from ledger_flow f where f.company_id = v_company and f.owner_id = p_owner_id;
  if v_to.available - v_from.available > c_most then
    v_has_more := true;
    v_to.available := v_from.available + c_most;
    -- Behind the last posting of both accounts, no other is cut in two.
    select coalesce(max(o.sequence), v_from.outbound) into v_to.outbound
    from ledger_entry a
    join ledger_entry o on o.company_id = v_company and o.posting_id = a.posting_id and o.account_id = v_to.outbound_id
    where a.company_id = v_company and a.account_id = v_to.available_id
      and a.sequence > v_from.available and a.sequence <= v_to.available;
  end if;

  with posting as (
    select e.posting_id, max(e.sequence) filter (where e.account_id = v_to.available_id) as available,
      max(e.sequence) filter (where e.account_id = v_to.outbound_id) as outbound,
      sum(e.amount) as amount, min(e.created_at) as at
    from ledger_entry e
    where e.company_id = v_company and (
      e.account_id = v_to.available_id and e.sequence > v_from.available and e.sequence <= v_to.available
      or e.account_id = v_to.outbound_id and e.sequence > v_from.outbound and e.sequence <= v_to.outbound)
    group by e.posting_id
  ), ranked as (
    select p.*, case when available is not null and outbound is not null
      then row_number() over (partition by available is not null and outbound is not null order by available) end as rank
    from posting p
  ), behind as (
    select r.*, coalesce(case when available is null
      then max(rank) over (partition by outbound is null order by outbound)
      else max(rank) over (partition by available is null order by available) end, 0) as follows
    from ranked r
  ), placed as (
    select b.*, (row_number() over turns - 1) / p_every as cut,
      max(available) over turns as available_by, max(outbound) over turns as outbound_by
    from behind b
    window turns as (order by follows, rank is null, at, available is null, available, outbound rows unbounded preceding)
  ), cut as (
    select cut, coalesce(max(available_by), v_from.available) as available, coalesce(max(outbound_by), v_from.outbound) as outbound
    from placed group by cut having count(*) = p_every
  ), added as (
    select p.cut, l.kind, l.corrects_id is not null as correcting, sum(greatest(p.amount, 0)) as in_minor,
      sum(greatest(-p.amount, 0)) as out_minor, coalesce(sum(f.amount), 0) as fee_minor, count(*) as movements
    from placed p
    join ledger_posting l on l.company_id = v_company and l.id = p.posting_id
    left join lateral (
      select sum(e.amount) as amount from ledger_entry e
      where e.company_id = v_company and e.posting_id = p.posting_id and e.account_id = v_to.fee_id
    ) f on true
    where p.amount <> 0 group by 1, 2, 3
    union all
    select -1, kind, correcting, in_minor, out_minor, fee_minor, movements from ledger_flow
    where company_id = v_company and owner_id = p_owner_id and available = v_from.available and outbound = v_from.outbound
  ), summed as (
    select c.cut, c.available, c.outbound, k.kind, k.correcting, sum(a.in_minor) over so_far as in_minor,
      sum(a.out_minor) over so_far as out_minor, sum(a.fee_minor) over so_far as fee_minor, sum(a.movements) over so_far as movements
    from (select distinct kind, correcting from added) k
    cross join (select cut, available, outbound from cut union all select -1, null, null) c
    left join added a on a.cut = c.cut and a.kind = k.kind and a.correcting = k.correcting
    window so_far as (partition by k.kind, k.correcting order by c.cut)
  )
  insert into ledger_flow (company_id, owner_id, available, outbound, kind, correcting, in_minor, out_minor, fee_minor, movements)
  select v_company, p_owner_id, available, outbound, kind, correcting, in_minor, out_minor, fee_minor, movements
  from summed where cut >= 0 and movements > 0;
  return v_has_more;
end $$;
revoke execute on function causeway.ledger_keep_flows from public;
grant execute on function causeway.ledger_keep_flows to causeway_worker;

-- Wallets that lack cuts, in the order of their ids. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select (company_id, owner_id, kind, version) on causeway.ledger_account to causeway_lookup;
create policy lookup on causeway.ledger_account for select to causeway_lookup using (true);
grant select (company_id, owner_id, available, outbound) on causeway.ledger_flow to causeway_lookup;
create policy lookup on causeway.ledger_flow for select to causeway_lookup using (true);
create function causeway.ledger_flows_due(p_after uuid, p_most integer) returns table (company_id uuid, owner_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select a.company_id, a.owner_id
  from ledger_account a
  join ledger_account o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'outbound'
  left join lateral (
    select f.available + f.outbound as entries from ledger_flow f where f.company_id = a.company_id and f.owner_id = a.owner_id
    order by f.available desc, f.outbound desc limit 1
  ) kept on true
  where a.kind = 'available' and a.version + o.version >= coalesce(kept.entries, 0) + 64
    and (p_after is null or a.owner_id > p_after)
  order by a.owner_id limit p_most;
$$;
alter function causeway.ledger_flows_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.ledger_flows_due from public;
grant execute on function causeway.ledger_flows_due to causeway_worker;
