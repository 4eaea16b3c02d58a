-- Money of a bank in the books: a company's credit, and what the installation holds without knowing whose it is.

-- suspense: money that came in and is no company's yet, held and owed. charges: what the bank took from an account of the installation and no
-- company bears. collecting: their contra side at the bank, either way.
alter domain causeway.ledger_account_kind drop constraint ledger_account_kind_check1;
alter domain causeway.ledger_account_kind add constraint ledger_account_kind_check
  check (value in ('available', 'outbound', 'inbound', 'chain', 'bank', 'fee', 'gas', 'fx', 'escrow', 'deficit', 'suspense', 'charges', 'collecting'));

-- Which money of a bank a company's deposit is, as the company may see it.
create table causeway.bank_credit (
  company_id uuid not null,
  transaction_id uuid not null,
  money_id uuid not null references causeway.bank_money (id),
  bank_id text not null,
  asset_id text not null,
  -- The bank's own name of the booking, and the payer's.
  reference text,
  end_to_end text,
  booked_on date,
  created_at timestamptz not null default now(),
  primary key (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
-- One money is credited once.
create unique index bank_credit_money on causeway.bank_credit (money_id);
call causeway.fence('causeway.bank_credit');
grant select on causeway.bank_credit to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.bank_credit to causeway_worker;

-- Look-ups before a company is known: they return companies alone.
grant create on schema causeway to causeway_lookup;
grant select (company_id, bank_id, asset_id, account_number, iban, reference) on causeway.bank_account to causeway_lookup;
create policy lookup on causeway.bank_account for select to causeway_lookup using (true);
grant select (company_id, money_id, transaction_id) on causeway.bank_credit to causeway_lookup;
create policy lookup on causeway.bank_credit for select to causeway_lookup using (true);
grant select (id, payer_account, payer_name, collection_id, state) on causeway.bank_money to causeway_lookup;
grant select on causeway.bank_collection to causeway_lookup;

-- Whose account numbers (or IBANs) these are.
create function causeway.bank_owners(p_bank text, p_asset text, p_numbers text[]) returns table (number text, company_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select n.number, a.company_id from unnest(p_numbers) as n (number)
  join bank_account a on a.bank_id = p_bank and a.asset_id = p_asset and (a.account_number = n.number or a.iban = n.number)
$$;
alter function causeway.bank_owners owner to causeway_lookup;

-- Whose payment references (ISO 11649) these are.
create function causeway.bank_reference_owners(p_bank text, p_asset text, p_references text[]) returns table (reference text, company_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select a.reference, a.company_id from bank_account a
  where a.bank_id = p_bank and a.asset_id = p_asset and a.reference = any (p_references)
$$;
alter function causeway.bank_reference_owners owner to causeway_lookup;

-- The announced payments of one amount into one currency at one bank, no more than ten.
grant select (company_id, id, wallet_id, amount, status) on causeway.recharge_notice to causeway_lookup;
grant select (company_id, id, bank_id, asset_id) on causeway.wallet to causeway_lookup;
create function causeway.bank_announced(p_bank text, p_asset text, p_amount numeric) returns table (company_id uuid, notice_id uuid)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select n.company_id, n.id from recharge_notice n
  join wallet w on w.company_id = n.company_id and w.id = n.wallet_id and w.bank_id = p_bank and w.asset_id = p_asset
  where n.status = 'waiting' and n.amount = p_amount order by n.id limit 10
$$;
alter function causeway.bank_announced owner to causeway_lookup;

-- The company that a money was credited to.
create function causeway.bank_credited_to(p_money uuid) returns uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select company_id from bank_credit where money_id = p_money
$$;
alter function causeway.bank_credited_to owner to causeway_lookup;

-- The companies that this payer's account has paid before in this currency at this bank.
create function causeway.bank_paid_before(p_bank text, p_asset text, p_payer_account text) returns setof uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct c.company_id from bank_money m
  join bank_collection o on o.id = m.collection_id and o.bank_id = p_bank and o.asset_id = p_asset
  join bank_credit c on c.money_id = m.id
  where m.payer_account = p_payer_account and m.state = 'credited' limit 10
$$;
alter function causeway.bank_paid_before owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.bank_owners, causeway.bank_reference_owners, causeway.bank_announced, causeway.bank_credited_to, causeway.bank_paid_before from public;
grant execute on function causeway.bank_owners, causeway.bank_reference_owners, causeway.bank_announced, causeway.bank_credited_to, causeway.bank_paid_before to causeway_worker;
create index recharge_notice_amount on causeway.recharge_notice (amount, id) where status = 'waiting';
create index bank_account_iban on causeway.bank_account (bank_id, asset_id, iban) where iban is not null;

-- Gives a money free that the installation's books hold, in the transaction in which it becomes a company's or gives way to its parts. It
-- works in the installation's books alone, whatever company the transaction is of; nothing is posted that is not held.
create function causeway.bank_release(p_money uuid, p_posting uuid) returns boolean
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_held uuid;
  v_accounts uuid[];
  v_amounts numeric[];
begin
  perform set_config('causeway.company_id', '00000000-0000-0000-0000-000000000000', true);
  select id into v_held from ledger_posting where company_id = company_id() and source_id = p_money and kind = 'bank.held';
  if v_held is null or exists (select from ledger_posting where company_id = company_id() and source_id = p_money and kind = 'bank.released') then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return false;
  end if;
  select array_agg(account_id order by account_id), array_agg(-amount order by account_id) into v_accounts, v_amounts
  from ledger_entry where company_id = company_id() and posting_id = v_held;
  perform ledger_post(p_posting, 'bank.released', p_money, 'money of a bank given free', v_held, v_accounts, v_amounts);
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);
  return true;
end $$;
revoke execute on function causeway.bank_release from public;
grant execute on function causeway.bank_release to causeway_worker;

-- Every night the books are compared with the banks' statements too.
alter table causeway.verification drop constraint verification_kind_check;
alter table causeway.verification add constraint verification_kind_check check (kind in ('ledger', 'chain', 'bank', 'audit'));
