-- Solvency counts what banks hold: of each currency at each bank what the bank had stated by the midnight, and what of it is no company's.

-- When a money came into the books, as a company's or in suspense; it never changes afterwards.
alter table causeway.bank_money add column posted_at timestamptz;
update causeway.bank_money set posted_at = coalesce(settled_at, created_at) where state <> 'new';
create function causeway.note_posted() returns trigger language plpgsql as $$
begin
  new.posted_at := now();
  return new;
end $$;
create trigger note_posted before update of state on causeway.bank_money for each row
  when (old.state = 'new' and new.state <> 'new') execute function causeway.note_posted();
create index bank_money_posted on causeway.bank_money (collection_id, posted_at);

create table causeway.solvency_bank (
  day date not null references causeway.solvency_report (day),
  bank_id text not null references causeway.bank (id),
  asset_id text not null references causeway.asset (id),
  -- The last closing balances that were known then, and what was announced as booked since; minor units, as all of these.
  stated numeric(78, 0) not null,
  -- Part of it: reported by the bank and posted after the midnight.
  unposted numeric(78, 0) not null,
  -- Held and owed, without knowing to whom.
  suspense numeric(78, 0) not null,
  -- What the bank took and no company bears: negative.
  charges numeric(78, 0) not null,
  primary key (day, bank_id, asset_id)
);
grant select on causeway.solvency_bank to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.solvency_bank to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.solvency_bank
  for each statement execute function causeway.refuse_change();

create function causeway.solvency_banks(p_at timestamptz)
returns table (bank_id text, asset_id text, stated numeric, unposted numeric, suspense numeric, charges numeric)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select c.bank_id, c.asset_id, sum(coalesce(last.closing, 0) + since.amount), sum(late.amount),
    sum(coalesce(own.suspense, 0)), sum(coalesce(own.charges, 0))
  from bank_collection c
  left join lateral (
    select s.closing, s.closed_on from bank_statement s
    where s.collection_id = c.id and s.kind = 'statement' and s.copy_of is null and s.closing is not null and s.created_at < p_at
    order by s.closed_on desc, s.opened_on desc, s.id desc limit 1
  ) last on true
  cross join lateral (
    select coalesce(sum(m.amount), 0) as amount from bank_money m
    where m.collection_id = c.id and m.created_at < p_at and m.state <> 'detailed'
      and (last.closed_on is null or m.booked_on is null or m.booked_on > last.closed_on)
      and (m.booked_entry_id is null or exists (
        select from bank_entry e join bank_statement s on s.id = e.statement_id where e.id = m.booked_entry_id and s.created_at >= p_at))
  ) since
  cross join lateral (
    select coalesce(sum(m.amount), 0) as amount from bank_money m
    where m.collection_id = c.id and m.created_at < p_at and m.state <> 'detailed' and (m.posted_at is null or m.posted_at >= p_at)
  ) late
  left join lateral (
    select sum(e.balance_after) filter (where a.kind = 'suspense') as suspense, sum(e.balance_after) filter (where a.kind = 'charges') as charges
    from ledger_account a
    cross join lateral (
      select l.balance_after from ledger_entry l
      where l.company_id = a.company_id and l.account_id = a.id and l.created_at < p_at order by l.sequence desc limit 1
    ) e
    where a.company_id = '00000000-0000-0000-0000-000000000000' and a.owner_id = c.id and a.kind in ('suspense', 'charges')
  ) own on true
  group by 1, 2;
$$;
grant create on schema causeway to causeway_lookup;
grant select on causeway.bank_statement, causeway.bank_entry to causeway_lookup;
grant select (id, collection_id, amount, booked_on, booked_entry_id, state, created_at, posted_at) on causeway.bank_money to causeway_lookup;
alter function causeway.solvency_banks owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.solvency_banks from public;
grant execute on function causeway.solvency_banks to causeway_worker;
