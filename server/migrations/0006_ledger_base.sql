-- The double-entry ledger: append-only, each posting sums to zero per asset, balances kept and never summed.
-- Nobody has a right to write these tables; the only way in is ledger_post, which runs with the owner's rights inside
-- the caller's company (row-level security is forced, the company comes from the transaction's setting).

create table causeway.asset (
  id text primary key check (id ~ '^[A-Z][A-Z0-9]{1,9}$'),
  decimals integer not null check (decimals between 0 and 18),
  -- Transfers must be strictly greater, recharges at least this; minor units.
  minimum numeric(78, 0) not null check (minimum >= 0)
);
insert into causeway.asset (id, decimals, minimum) values
  ('BTC', 8, 10000), ('ETH', 18, 1000000000000000), ('USDT', 6, 1000000), ('USDC', 6, 1000000), ('HKDT', 6, 1000000),
  ('USD', 2, 100), ('HKD', 2, 100);
grant select on causeway.asset to causeway_app, causeway_worker, causeway_signer, causeway_operator;
grant update (minimum) on causeway.asset to causeway_operator;

-- normal: the sign a healthy balance has. credit ≥ 0 (what is owed to the company), debit ≤ 0 (the contra side: what
-- stands on the chain or in the bank), any: the deficit account, the one that may go either way.
create table causeway.ledger_account (
  company_id uuid not null,
  id uuid not null,
  -- What it belongs to: a wallet's id.
  owner_id uuid not null,
  kind text not null check (kind in ('available', 'outbound', 'inbound', 'chain', 'bank', 'fee', 'gas', 'fx', 'escrow', 'deficit')),
  asset_id text not null references causeway.asset (id),
  normal text not null check (normal in ('credit', 'debit', 'any')),
  balance numeric(78, 0) not null default 0,
  -- How many entries it has; the next entry's sequence is this plus one.
  version bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, owner_id, kind),
  constraint ledger_account_balance check (
    case normal when 'credit' then balance >= 0 when 'debit' then balance <= 0 else true end)
) with (fillfactor = 70);

create table causeway.ledger_posting (
  company_id uuid not null,
  id uuid not null,
  -- What it is for: 'deposit.seen', 'transfer.reserve', …; the thing it serves; with both, it happens once.
  kind text not null,
  source_id uuid not null,
  description text not null,
  -- A correction points to what it corrects.
  corrects_id uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, source_id, kind),
  foreign key (company_id, corrects_id) references causeway.ledger_posting (company_id, id)
);

create table causeway.ledger_entry (
  company_id uuid not null,
  account_id uuid not null,
  -- 1, 2, 3 … within the account, without gaps.
  sequence bigint not null,
  posting_id uuid not null,
  asset_id text not null,
  amount numeric(78, 0) not null check (amount <> 0),
  balance_after numeric(78, 0) not null,
  created_at timestamptz not null default now(),
  primary key (company_id, account_id, sequence),
  foreign key (company_id, account_id) references causeway.ledger_account (company_id, id),
  foreign key (company_id, posting_id) references causeway.ledger_posting (company_id, id)
);
create index ledger_entry_posting on causeway.ledger_entry (company_id, posting_id);
create index ledger_entry_time on causeway.ledger_entry (company_id, account_id, created_at desc);

-- Every statement that writes entries must leave each of its postings balanced per asset.
create function causeway.ledger_entry_balanced() returns trigger language plpgsql
  set search_path = causeway, pg_temp as $$
begin
  if exists (select from added group by company_id, posting_id, asset_id having sum(amount) <> 0) then
    raise exception 'a posting does not sum to zero' using errcode = 'CW002';
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on causeway.ledger_entry
  referencing new table as added for each statement execute function causeway.ledger_entry_balanced();

create trigger append_only before update or delete or truncate on causeway.ledger_entry
  for each statement execute function causeway.refuse_change();
create trigger append_only before update or delete or truncate on causeway.ledger_posting
  for each statement execute function causeway.refuse_change();

call causeway.fence('causeway.ledger_account');
call causeway.fence('causeway.ledger_posting');
call causeway.fence('causeway.ledger_entry');
grant select on causeway.ledger_account, causeway.ledger_posting, causeway.ledger_entry
  to causeway_app, causeway_worker, causeway_operator;

-- Posts one posting. p_accounts and p_amounts run in parallel: account id and signed amount (minor units; positive
-- raises what the company is owed). Locks the accounts in the order of their ids before anything else.
-- Raises CW002 not zero, CW003 an account is unknown (another company's, or none); check_violation of
-- ledger_account_balance when a balance would break its sign; unique_violation of ledger_posting_company_id_source_id_kind_key
-- when this source has had this kind of posting already. (No exception block: it would cost a subtransaction each time.)
create function causeway.ledger_post(
  p_id uuid, p_kind text, p_source_id uuid, p_description text, p_corrects_id uuid, p_accounts uuid[], p_amounts numeric[]
) returns void language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company uuid := company_id();
  v_locked integer;
begin
  if v_company is null then
    raise exception 'no company is set' using errcode = 'CW003';
  end if;

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

-- Opens the accounts of one owner, once; kinds, assets and normals run in parallel.
create function causeway.ledger_open(p_owner_id uuid, p_asset_id text, p_ids uuid[], p_kinds text[], p_normals text[])
returns void language sql security definer set search_path = causeway, pg_temp as $$
  insert into ledger_account (company_id, id, owner_id, kind, asset_id, normal)
  select company_id(), n.id, p_owner_id, n.kind, p_asset_id, n.normal
  from unnest(p_ids, p_kinds, p_normals) as n (id, kind, normal)
  on conflict (company_id, owner_id, kind) do nothing;
$$;
revoke execute on function causeway.ledger_post, causeway.ledger_open from public;
grant execute on function causeway.ledger_post to causeway_app, causeway_worker;
grant execute on function causeway.ledger_open to causeway_app, causeway_worker;
