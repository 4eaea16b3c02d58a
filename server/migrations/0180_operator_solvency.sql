-- Solvency: for the midnight that ends each day (UTC), what companies were owed by the ledger and what their addresses held on the chains, as a
-- report that the signer signs (docs/adr/0071). The worker writes it once; a report never changes.

create table causeway.solvency_report (
  -- The day that ended at the midnight.
  day date primary key,
  -- Canonical JSON of what is signed, and its SHA-256.
  statement text not null,
  digest bytea not null check (length(digest) = 32),
  made_at timestamptz not null default now()
);
grant select on causeway.solvency_report to causeway_app, causeway_worker, causeway_signer, causeway_operator, causeway_console;
grant insert (day, statement, digest) on causeway.solvency_report to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.solvency_report
  for each statement execute function causeway.refuse_change();

-- A company's leaf in the tree of a report, with the path to the root. The salt is what makes its name in the tree the company's alone.
create table causeway.solvency_leaf (
  company_id uuid not null,
  day date not null references causeway.solvency_report (day),
  position integer not null check (position >= 0),
  salt bytea not null check (length(salt) = 32),
  -- Minor units by asset, as decimal texts; and by kind of account, for the rows behind a figure.
  sums jsonb not null,
  parts jsonb not null,
  path jsonb not null,
  primary key (company_id, day),
  unique (day, position)
);
call causeway.fence('causeway.solvency_leaf');
create policy watcher on causeway.solvency_leaf to causeway_worker using (true) with check (true);
create policy signer_reads on causeway.solvency_leaf for select to causeway_signer using (true);
grant select on causeway.solvency_leaf to causeway_app, causeway_worker, causeway_signer, causeway_operator, causeway_console;
grant insert on causeway.solvency_leaf to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.solvency_leaf
  for each statement execute function causeway.refuse_change();

-- What an address of ours held at the block of the midnight; the gas tank's under the nil UUID. Addresses that held nothing have no row.
create table causeway.solvency_holding (
  company_id uuid not null,
  day date not null references causeway.solvency_report (day),
  chain_id text not null references causeway.chain (id),
  address text not null,
  asset_id text not null references causeway.asset (id),
  minor numeric(78, 0) not null check (minor > 0),
  primary key (day, chain_id, address, asset_id)
);
call causeway.fence('causeway.solvency_holding');
create policy watcher on causeway.solvency_holding to causeway_worker using (true) with check (true);
grant select on causeway.solvency_holding to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.solvency_holding to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.solvency_holding
  for each statement execute function causeway.refuse_change();

-- What the books had on one side of the midnight and the chain on the other. Signed: what the addresses held more by it.
create table causeway.solvency_timing (
  company_id uuid not null,
  day date not null references causeway.solvency_report (day),
  posting_id uuid not null,
  chain_id text not null references causeway.chain (id),
  kind text not null,
  -- What was posted for: a transaction's or a payment's id.
  source_id uuid not null,
  asset_id text not null references causeway.asset (id),
  minor numeric(78, 0) not null check (minor <> 0),
  block bigint not null,
  posted_at timestamptz not null,
  primary key (day, company_id, posting_id, asset_id)
);
call causeway.fence('causeway.solvency_timing');
create policy watcher on causeway.solvency_timing to causeway_worker using (true) with check (true);
grant select on causeway.solvency_timing to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.solvency_timing to causeway_worker;
create trigger append_only before update or delete or truncate on causeway.solvency_timing
  for each statement execute function causeway.refuse_change();

-- The signer's signatures, which it alone may write: one for a day.
create table causeway.solvency_signature (
  day date primary key references causeway.solvency_report (day),
  digest bytea not null,
  -- As signed, ISO 8601 with milliseconds.
  signed_at text not null,
  key_id text not null,
  signature bytea not null
);
grant select on causeway.solvency_signature to causeway_app, causeway_worker, causeway_signer, causeway_operator, causeway_console;
grant insert on causeway.solvency_signature to causeway_signer;
create trigger append_only before update or delete or truncate on causeway.solvency_signature
  for each statement execute function causeway.refuse_change();

-- How the nightly work goes: the day that is worked on, since when it is due, and what keeps it from being done.
create table causeway.solvency_state (
  one boolean primary key default true check (one),
  day date not null,
  tried_at timestamptz not null,
  problem text
);
grant select on causeway.solvency_state to causeway_worker, causeway_operator, causeway_console;
grant insert, update on causeway.solvency_state to causeway_worker;

-- An operator wants it tried again now, without the pause after a failure.
create table causeway.operator_solvency_request (
  id uuid primary key,
  operator_id uuid not null references causeway.operator_account (id),
  at timestamptz not null default now()
);
create index operator_solvency_request_at on causeway.operator_solvency_request (at desc);
grant select, insert (id, operator_id) on causeway.operator_solvency_request to causeway_console;

-- When that was last: all that the worker learns of it.
create function causeway.solvency_requested_at() returns timestamptz
language sql stable security definer set search_path = causeway, pg_temp as $$
  select max(at) from operator_solvency_request;
$$;

-- Balances of every company's accounts just before an instant, by asset and kind; found in the entries as the ledger's `balancesAt` finds
-- them. An account that was opened by then counts, also without an entry: each company that has wallets is in a report.
create function causeway.balances_by_company(p_at timestamptz)
returns table (company_id uuid, asset_id text, kind text, at_bank boolean, minor numeric)
language sql stable security invoker set search_path = causeway, pg_temp as $$
  select a.company_id, a.asset_id, a.kind, w.bank_id is not null, sum(coalesce(e.balance_after, 0))
  from ledger_account a
  join wallet w on w.company_id = a.company_id and w.id = a.owner_id
  cross join lateral (
    select coalesce(max(sequence), 0) as first, coalesce(max(sequence), 0) + 64 as last from (
      select l.sequence from ledger_entry l
      where l.company_id = a.company_id and l.account_id = a.id and l.sequence % 64 = 0 and l.created_at < p_at
      order by l.created_at desc, l.sequence desc limit 1
    ) found
  ) indexed
  left join lateral (
    select l.balance_after from ledger_entry l
    where l.company_id = a.company_id and l.account_id = a.id and l.created_at < p_at
      and l.sequence >= indexed.first and l.sequence <= indexed.last
    order by l.sequence desc limit 1
  ) e on true
  where a.created_at < p_at
  group by 1, 2, 3, 4;
$$;
-- The same for processes that do not read across companies: sums alone.
create function causeway.solvency_balances(p_at timestamptz)
returns table (company_id uuid, asset_id text, kind text, at_bank boolean, minor numeric)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select * from balances_by_company(p_at);
$$;

-- What was posted to the chain accounts of a chain since an instant, with the block of its cause; null where the cause is in no block. Signed as the
-- addresses see it.
create function causeway.solvency_moves(p_chain_id text, p_since timestamptz)
returns table (company_id uuid, asset_id text, posting_id uuid, kind text, source_id uuid, minor numeric, block bigint, posted_at timestamptz)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select a.company_id, a.asset_id, p.id, p.kind, p.source_id, -e.amount,
    coalesce(
      (select t.block_number from transaction_chain t where t.company_id = a.company_id and t.transaction_id = p.source_id),
      (select max(s.mined_block) from chain_send s where s.company_id = a.company_id and s.payment_id = p.source_id),
      (select u.block_number from unexplained_payment u where u.company_id = a.company_id and u.id = p.source_id)),
    e.created_at
  from wallet w
  join ledger_account a on a.company_id = w.company_id and a.owner_id = w.id and a.kind = 'chain'
  cross join lateral (
    select coalesce(max(sequence), 0) as first from (
      select l.sequence from ledger_entry l
      where l.company_id = a.company_id and l.account_id = a.id and l.sequence % 64 = 0 and l.created_at < p_since
      order by l.created_at desc, l.sequence desc limit 1
    ) found
  ) indexed
  join ledger_entry e on e.company_id = a.company_id and e.account_id = a.id and e.sequence > indexed.first and e.created_at >= p_since
  join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
  where w.chain_id = p_chain_id;
$$;

grant usage, create on schema causeway to causeway_lookup;
grant select (id, asset_id, created_at) on causeway.ledger_account to causeway_lookup;
grant select on causeway.ledger_entry to causeway_lookup;
create policy lookup on causeway.ledger_entry for select to causeway_lookup using (true);
grant select (company_id, id, kind, source_id) on causeway.ledger_posting to causeway_lookup;
create policy lookup on causeway.ledger_posting for select to causeway_lookup using (true);
grant select (company_id, id, chain_id, bank_id) on causeway.wallet to causeway_lookup;
create policy lookup on causeway.wallet for select to causeway_lookup using (true);
grant select (company_id, transaction_id, block_number) on causeway.transaction_chain to causeway_lookup;
create policy lookup on causeway.transaction_chain for select to causeway_lookup using (true);
grant select (company_id, payment_id, mined_block) on causeway.chain_send to causeway_lookup;
create policy lookup on causeway.chain_send for select to causeway_lookup using (true);
grant select (company_id, id, block_number) on causeway.unexplained_payment to causeway_lookup;
create policy lookup on causeway.unexplained_payment for select to causeway_lookup using (true);
grant select (at) on causeway.operator_solvency_request to causeway_lookup;
alter function causeway.solvency_requested_at owner to causeway_lookup;
alter function causeway.solvency_balances owner to causeway_lookup;
alter function causeway.solvency_moves owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.solvency_requested_at, causeway.balances_by_company, causeway.solvency_balances, causeway.solvency_moves from public;
grant execute on function causeway.balances_by_company to causeway_lookup, causeway_operator, causeway_console;
grant execute on function causeway.solvency_balances to causeway_worker, causeway_signer;
grant execute on function causeway.solvency_moves, causeway.solvency_requested_at to causeway_worker;
