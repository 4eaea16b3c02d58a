-- The operator's queue: what needs a person, across companies. Outside tenancy: only the console's role has a right to these tables.

create table causeway.operator_item (
  id uuid primary key,
  kind text not null,
  -- Names within its kind what the item is about: a transfer's id, a chain and an address, a health check.
  subject text not null,
  company_id uuid,
  asset_id text references causeway.asset (id),
  amount numeric(78, 0),
  -- US cents, valued when the item was opened or its amount changed; null without a price.
  usd_cents numeric(78, 0),
  facts jsonb not null default '{}',
  -- Since when the cause exists, which may be before it was noticed.
  opened_at timestamptz not null,
  -- What the list is ordered by: urgency, then age in milliseconds (`placeOf`).
  place bigint not null,
  owner_id uuid references causeway.operator_account (id),
  state text not null default 'open' check (state in ('open', 'resolved')),
  resolved_at timestamptz,
  -- Null where its cause ended.
  resolved_by uuid references causeway.operator_account (id),
  constraint operator_item_resolved check (
    (state = 'resolved') = (resolved_at is not null) and (state = 'resolved' or resolved_by is null)),
  check ((asset_id is null) = (amount is null))
);
create unique index operator_item_open on causeway.operator_item (kind, subject) where state = 'open';
create index operator_item_place on causeway.operator_item (place, id) where state = 'open';
create index operator_item_kind on causeway.operator_item (kind, place, id) where state = 'open';
create index operator_item_owner on causeway.operator_item (owner_id, place, id) where state = 'open';
create index operator_item_company on causeway.operator_item (company_id, place, id) where state = 'open';
create index operator_item_closed on causeway.operator_item (resolved_at, id) where state = 'resolved';
create index operator_item_known on causeway.operator_item (kind, subject, resolved_at) where state = 'resolved';
grant select, insert (id, kind, subject, company_id, asset_id, amount, usd_cents, facts, opened_at, place),
  update (asset_id, amount, usd_cents, facts, owner_id, state, resolved_at, resolved_by)
  on causeway.operator_item to causeway_console;

-- What was done about an item, append-only. Without an operator: the queue itself, which follows the causes.
create table causeway.operator_item_event (
  id uuid primary key,
  item_id uuid not null references causeway.operator_item (id),
  at timestamptz not null default clock_timestamp(),
  operator_id uuid references causeway.operator_account (id),
  act text not null check (act in ('opened', 'taken', 'handedOver', 'released', 'commented', 'resolved', 'reopened')),
  to_id uuid references causeway.operator_account (id),
  text text,
  check ((act = 'handedOver') = (to_id is not null))
);
create index operator_item_event_item on causeway.operator_item_event (item_id, at, id);
create trigger append_only before update or delete or truncate on causeway.operator_item_event
  for each statement execute function causeway.refuse_change();
grant select, insert on causeway.operator_item_event to causeway_console;

-- How many items are open, by kind and owner (the nil UUID where no one has taken them), and what those with a value are worth: the summary is as fast with
-- ten thousand items as with ten.
create table causeway.operator_item_count (
  kind text not null,
  owner_id uuid not null,
  open bigint not null check (open >= 0),
  usd_cents numeric(78, 0) not null,
  valued bigint not null check (valued >= 0),
  primary key (kind, owner_id)
);
grant select on causeway.operator_item_count to causeway_console;

create function causeway.count_new_items() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into operator_item_count as c (kind, owner_id, open, usd_cents, valued)
  select kind, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), count(*), coalesce(sum(usd_cents), 0), count(usd_cents)
  from now_there where state = 'open' group by 1, 2 order by 1, 2
  on conflict (kind, owner_id) do update
    set open = c.open + excluded.open, usd_cents = c.usd_cents + excluded.usd_cents, valued = c.valued + excluded.valued;
  return null;
end $$;
create function causeway.count_changed_items() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  insert into operator_item_count (kind, owner_id, open, usd_cents, valued)
  select distinct kind, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'::uuid), 0, 0, 0
  from now_there where state = 'open' order by 1, 2
  on conflict do nothing;
  -- Rows are locked in one order, so that two changes cannot wait for each other.
  perform from operator_item_count
  where (kind, owner_id) in (
    select kind, coalesce(owner_id, '00000000-0000-0000-0000-000000000000') from now_there
    union select kind, coalesce(owner_id, '00000000-0000-0000-0000-000000000000') from was_there)
  order by kind, owner_id for update;
  update operator_item_count c
  set open = c.open + d.open, usd_cents = c.usd_cents + d.cents, valued = c.valued + d.valued
  from (
    select kind, coalesce(owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, sum(sign)::bigint as open,
      sum(coalesce(usd_cents, 0) * sign) as cents, coalesce(sum(sign) filter (where usd_cents is not null), 0)::bigint as valued
    from (
      select kind, owner_id, usd_cents, 1 as sign from now_there where state = 'open'
      union all select kind, owner_id, usd_cents, -1 from was_there where state = 'open'
    ) as changes group by 1, 2
  ) d
  where c.kind = d.kind and c.owner_id = d.owner_id and (d.open, d.cents, d.valued) <> (0, 0, 0);
  return null;
end $$;
create trigger counts_new after insert on causeway.operator_item
  referencing new table as now_there for each statement execute function causeway.count_new_items();
create trigger counts_changed after update on causeway.operator_item
  referencing old table as was_there new table as now_there for each statement execute function causeway.count_changed_items();

-- Where the queue's sources look across companies.
create index transaction_reversed on causeway.transaction (id) where stage = 'reversed';
-- The balance must not be part of it: PostgreSQL would write to every index of the row for each posting.
create index ledger_account_deficit on causeway.ledger_account (company_id, id) where kind = 'deficit';
