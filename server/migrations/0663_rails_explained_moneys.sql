-- What two operators explained a booking of a bank as, fees collected or settled with the issuer of cards, and what became of that (docs/adr/0118-…): the bank
-- returned all of it or a part, or the explanation was wrong and is withdrawn. Each step is a row, and each company's share of a step has a posting of its own.

-- `amount` is signed as what it takes off the companies' accounts, so that the rows of a money come to what of it is explained and was not returned.
create table causeway.bank_explanation (
  id uuid primary key,
  money_id uuid not null references causeway.bank_money (id),
  about text not null check (about in ('fees', 'cards')),
  step text not null check (step in ('explained', 'returned', 'withdrawn')),
  -- The booking by which the bank returned it; also of the withdrawal of that.
  by_id uuid references causeway.bank_money (id),
  withdraws_id uuid unique references causeway.bank_explanation (id),
  -- Why the returning booking was held before.
  unmatched text,
  amount numeric(78, 0) not null check (amount <> 0),
  created_at timestamptz not null default now(),
  check (step = 'withdrawn' or (step = 'returned') = (by_id is not null)),
  check ((step = 'withdrawn') = (withdraws_id is not null))
);
create index bank_explanation_money on causeway.bank_explanation (money_id);
create index bank_explanation_by on causeway.bank_explanation (by_id) where by_id is not null;
grant select on causeway.bank_explanation to causeway_worker, causeway_operator, causeway_console;

create table causeway.bank_explained_share (
  company_id uuid not null,
  explanation_id uuid not null references causeway.bank_explanation (id),
  wallet_id uuid not null,
  posting_id uuid not null,
  amount numeric(78, 0) not null check (amount <> 0),
  primary key (company_id, explanation_id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, posting_id) references causeway.ledger_posting (company_id, id)
);
create index bank_explained_share_step on causeway.bank_explained_share (explanation_id);
create unique index bank_explained_share_posting on causeway.bank_explained_share (company_id, posting_id);
call causeway.fence('causeway.bank_explained_share');
grant select on causeway.bank_explained_share to causeway_worker, causeway_operator, causeway_console;

-- What was explained and taken back before.
alter table causeway.bank_fee_share no force row level security;
alter table causeway.bank_card_share no force row level security;
alter table causeway.bank_explained_share no force row level security;
alter table causeway.ledger_posting no force row level security;
alter table causeway.wallet no force row level security;
insert into causeway.bank_explanation (id, money_id, about, step, amount, created_at)
select id, id, state, 'explained', -amount, coalesce(settled_at, created_at) from causeway.bank_money where state in ('fees', 'cards');
insert into causeway.bank_explanation (id, money_id, about, step, by_id, unmatched, amount, created_at)
select r.id, m.id, m.state, 'returned', r.id, 'nothing', -r.amount, coalesce(r.settled_at, r.created_at)
from causeway.bank_money m join causeway.bank_money r on r.id = m.reversed_by_id where m.state = 'cards';
insert into causeway.bank_explained_share (company_id, explanation_id, wallet_id, posting_id, amount)
select s.company_id, s.money_id, s.wallet_id, p.id, s.amount
from (select company_id, money_id, wallet_id, amount, 'fees.collected' as kind from causeway.bank_fee_share
  union all select company_id, money_id, wallet_id, amount, 'cards.settled' from causeway.bank_card_share) s
join causeway.ledger_posting p on p.company_id = s.company_id and p.source_id = s.money_id and p.kind = s.kind;
insert into causeway.bank_explained_share (company_id, explanation_id, wallet_id, posting_id, amount)
select s.company_id, m.reversed_by_id, s.wallet_id, p.id, -s.amount
from causeway.bank_card_share s join causeway.bank_money m on m.id = s.money_id and m.reversed_by_id is not null
join causeway.ledger_posting p on p.company_id = s.company_id and p.source_id = s.money_id and p.kind = 'cards.takenBack';
alter table causeway.wallet force row level security;
alter table causeway.ledger_posting force row level security;
alter table causeway.bank_explained_share force row level security;
do $$
begin
  if (select count(*) from causeway.bank_explanation where step = 'returned') <> (select count(*) from causeway.bank_money where state = 'cards' and reversed_by_id is not null) then
    raise exception 'a settlement that was taken back is not copied';
  end if;
end $$;
drop table causeway.bank_fee_share, causeway.bank_card_share;

create trigger append_only before update or delete or truncate on causeway.bank_explanation
  for each statement execute function causeway.refuse_change();
create trigger append_only before update or delete or truncate on causeway.bank_explained_share
  for each statement execute function causeway.refuse_change();

-- What the installation's books hold of a money once more, after the explanation that had given it free was withdrawn.
create function causeway.bank_hold_again(p_money uuid, p_step uuid) returns void
  language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
begin
  perform set_config('causeway.company_id', '00000000-0000-0000-0000-000000000000', true);
  perform ledger_post(gen_random_uuid(), 'bank.held', p_step, 'money of a bank whose explanation was withdrawn', null,
    array_agg(e.account_id order by e.account_id), array_agg(e.amount order by e.account_id))
  from ledger_posting p join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
  where p.company_id = company_id() and p.source_id = p_money and p.kind = 'bank.held';
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);
end $$;
revoke execute on function causeway.bank_hold_again from public;

-- Gives free what is held of a money: by its first hold, or by that of the last withdrawal.
create or replace function causeway.bank_release(p_money uuid, p_posting uuid) returns boolean
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_held record;
  v_accounts uuid[];
  v_amounts numeric[];
begin
  perform set_config('causeway.company_id', '00000000-0000-0000-0000-000000000000', true);
  select p.id, p.source_id into v_held from ledger_posting p
  where p.company_id = company_id() and p.kind = 'bank.held'
    and p.source_id in (select p_money union all select w.id from bank_explanation w
      where w.step = 'withdrawn' and ((w.by_id is null and w.money_id = p_money) or w.by_id = p_money))
    and not exists (select from ledger_posting r where r.company_id = p.company_id and r.source_id = p.source_id and r.kind = 'bank.released');
  if not found then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return false;
  end if;
  select array_agg(account_id order by account_id), array_agg(-amount order by account_id) into v_accounts, v_amounts
  from ledger_entry where company_id = company_id() and posting_id = v_held.id;
  perform ledger_post(p_posting, 'bank.released', v_held.source_id, 'money of a bank given free', v_held.id, v_accounts, v_amounts);
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);
  return true;
end $$;

-- The newest entry of one sign in an account `fee` or `card` before a place in it, of those that made the balance: not what an explanation took off it, nor
-- what was put back. None, or one.
create function causeway.bank_own_entries(p_account uuid, p_sign integer, p_before bigint) returns setof causeway.ledger_entry
  language sql stable set search_path = causeway, pg_temp as $$
  select e.* from ledger_entry e
  where e.company_id = company_id() and e.account_id = p_account and e.amount * p_sign > 0 and (p_before is null or e.sequence < p_before)
    and not exists (select from ledger_posting p where p.company_id = e.company_id and p.id = e.posting_id and p.kind in
      ('fees.collected', 'fees.takenBack', 'fees.withdrawn', 'cards.settled', 'cards.takenBack', 'cards.withdrawn'))
  order by e.sequence desc limit 1
$$;
revoke execute on function causeway.bank_own_entries from public;

-- Posts a company's share of a step: off its account `fee` or `card`, or back to it where it is negative. The company is the current one.
create function causeway.bank_post_share(
  p_step uuid, p_about text, p_kind text, p_description text, p_wallet uuid, p_amount numeric, p_corrects uuid
) returns void
  language plpgsql set search_path = causeway, pg_temp as $$
declare
  v_posting uuid := gen_random_uuid();
  v_kind text := case p_about when 'fees' then 'fee' else 'card' end;
begin
  perform ledger_post(v_posting, p_kind, p_step, p_description, p_corrects,
    array_agg(a.id order by a.id), array_agg(case a.kind when v_kind then -p_amount else p_amount end order by a.id))
  from ledger_account a where a.company_id = company_id() and a.owner_id = p_wallet and a.kind in ('bank', v_kind);
  insert into bank_explained_share (company_id, explanation_id, wallet_id, posting_id, amount)
  values (company_id(), p_step, p_wallet, v_posting, p_amount);
end $$;
revoke execute on function causeway.bank_post_share from public;

-- Explains a debit that is held as taken by the bank as fees collected: takes its amount from the fees of companies in its currency at its bank, the
-- oldest first, each company by a posting of its own, and gives free what the installation's books hold of it. All of it or none: `short`, the fees do
-- not cover it; `settled`, the debit is not held, or is about something else. A company's balance of fees is taken to be its newest.
create or replace function causeway.bank_collect_fees(p_money uuid) returns text
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_step uuid := gen_random_uuid();
  v_bank text;
  v_asset text;
  v_amount numeric;
  v_owner uuid;
  v_wallet uuid;
  v_fee record;
  v_lots jsonb := '[]';
  v_share record;
begin
  select c.bank_id, c.asset_id, -m.amount into v_bank, v_asset, v_amount
  from bank_money m join bank_collection c on c.id = m.collection_id
  where m.id = p_money and m.state = 'charged' and m.amount < 0 and m.unmatched = 'nothing' and not m.is_undetailed
    and m.reverses_id is null and m.reversed_by_id is null
  for update of m;
  if not found then
    return 'settled';
  end if;

  for v_owner in select companies_at_bank(v_bank, v_asset) loop
    perform set_config('causeway.company_id', v_owner::text, true);
    select id into v_wallet from wallet where company_id = company_id() and bank_id = v_bank and asset_id = v_asset;
    -- In the order in which postings lock them.
    perform from ledger_account
    where company_id = company_id() and owner_id = v_wallet and kind in ('bank', 'fee') order by id for no key update;
    select a.id, a.balance into v_fee from ledger_account a where a.company_id = company_id() and a.owner_id = v_wallet and a.kind = 'fee';
    continue when v_fee.balance is null or v_fee.balance <= 0;
    v_lots := v_lots || (
      with recursive lot as (
        (select e.created_at, e.sequence, e.amount::numeric as amount, 0::numeric as newer from bank_own_entries(v_fee.id, 1, null) e)
        union all
        select e.created_at, e.sequence, e.amount::numeric, l.newer + l.amount
        from lot l, lateral bank_own_entries(v_fee.id, 1, l.sequence) e where l.newer + l.amount < v_fee.balance
      )
      select jsonb_agg(jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'at', l.created_at, 'sequence', l.sequence,
        'amount', least(l.amount, v_fee.balance - l.newer))) from lot l);
  end loop;

  if (select coalesce(sum((l ->> 'amount')::numeric), 0) from jsonb_array_elements(v_lots) l) < v_amount then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return 'short';
  end if;
  insert into bank_explanation (id, money_id, about, step, amount) values (v_step, p_money, 'fees', 'explained', v_amount);
  for v_share in
    with lot as (
      select (l ->> 'owner')::uuid as owner, (l ->> 'wallet')::uuid as wallet, (l ->> 'amount')::numeric as amount,
        sum((l ->> 'amount')::numeric) over (order by (l ->> 'at')::timestamptz, l ->> 'owner', (l ->> 'sequence')::bigint) as until
      from jsonb_array_elements(v_lots) l
    )
    select owner, wallet, sum(least(amount, v_amount - (until - amount))) as amount from lot
    where until - amount < v_amount group by owner, wallet order by owner
  loop
    perform set_config('causeway.company_id', v_share.owner::text, true);
    perform bank_post_share(v_step, 'fees', 'fees.collected', 'fees that the firm has transferred to itself', v_share.wallet, v_share.amount, null);
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'fees', unmatched = null, matched_by = 'operator', suggestions = '[]', settled_at = now() where id = p_money;
  perform bank_release(p_money, gen_random_uuid());
  return 'collected';
end $$;

-- Explains a held debit as paid to the issuer, or a held credit as paid by it, at its bank in its currency. Where a debit pays cleared payments, the
-- refunds of all wallets there are settled in whole, as the issuer deducts them, and with their sum more payments are: the oldest first. Where a credit
-- pays refunds, it is the other way round. So the accounts come down by exactly what the bank booked. All of it or none: `short`, less than that is owed;
-- `settled`, the money is not held, or is about something else. A wallet's balance is taken to be the newest entries
-- of its sign that a card made.
create or replace function causeway.bank_settle_cards(p_money uuid) returns text
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_step uuid := gen_random_uuid();
  v_bank text;
  v_asset text;
  -- What is settled of the side that the money is about; `v_sign` is of that side.
  v_amount numeric;
  v_sign integer;
  v_owner uuid;
  v_wallet uuid;
  v_card record;
  v_lots jsonb := '[]';
  v_others jsonb := '[]';
  v_share record;
begin
  select c.bank_id, c.asset_id, abs(m.amount), -sign(m.amount) into v_bank, v_asset, v_amount, v_sign
  from bank_money m join bank_collection c on c.id = m.collection_id
  where m.id = p_money and m.state in ('charged', 'suspense') and m.amount <> 0 and m.unmatched = 'nothing' and not m.is_undetailed
    and m.reverses_id is null and m.reversed_by_id is null
  for update of m;
  if not found then
    return 'settled';
  end if;

  for v_owner in select companies_at_bank(v_bank, v_asset) loop
    perform set_config('causeway.company_id', v_owner::text, true);
    select id into v_wallet from wallet where company_id = company_id() and bank_id = v_bank and asset_id = v_asset;
    continue when not exists (select from ledger_account where company_id = company_id() and owner_id = v_wallet and kind = 'card');
    -- In the order in which postings lock them.
    perform from ledger_account
    where company_id = company_id() and owner_id = v_wallet and kind in ('bank', 'card') order by id for no key update;
    select a.id, a.balance * v_sign as balance into v_card from ledger_account a
    where a.company_id = company_id() and a.owner_id = v_wallet and a.kind = 'card';
    continue when v_card.balance = 0;
    if v_card.balance < 0 then
      v_others := v_others || jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'amount', v_card.balance);
      v_amount := v_amount - v_card.balance;
      continue;
    end if;
    v_lots := v_lots || (
      with recursive lot as (
        (select e.created_at, e.sequence, (e.amount * v_sign)::numeric as amount, 0::numeric as newer
          from bank_own_entries(v_card.id, v_sign, null) e)
        union all
        select e.created_at, e.sequence, (e.amount * v_sign)::numeric, l.newer + l.amount
        from lot l, lateral bank_own_entries(v_card.id, v_sign, l.sequence) e where l.newer + l.amount < v_card.balance
      )
      select jsonb_agg(jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'at', l.created_at, 'sequence', l.sequence,
        'amount', least(l.amount, v_card.balance - l.newer))) from lot l);
  end loop;

  -- `v_amount` is by now the money and all of the other side, so this is the money against what is owed of both.
  if (select coalesce(sum((l ->> 'amount')::numeric), 0) from jsonb_array_elements(v_lots) l) < v_amount then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return 'short';
  end if;
  insert into bank_explanation (id, money_id, about, step, amount)
  select v_step, id, 'cards', 'explained', -amount from bank_money where id = p_money;
  for v_share in
    with lot as (
      select (l ->> 'owner')::uuid as owner, (l ->> 'wallet')::uuid as wallet, (l ->> 'amount')::numeric as amount,
        sum((l ->> 'amount')::numeric) over (order by (l ->> 'at')::timestamptz, l ->> 'owner', (l ->> 'sequence')::bigint) as until
      from jsonb_array_elements(v_lots) l
    )
    select owner, wallet, v_sign * sum(least(amount, v_amount - (until - amount))) as amount from lot
    where until - amount < v_amount group by owner, wallet
    union all
    select (o ->> 'owner')::uuid, (o ->> 'wallet')::uuid, v_sign * (o ->> 'amount')::numeric from jsonb_array_elements(v_others) o
    order by owner
  loop
    perform set_config('causeway.company_id', v_share.owner::text, true);
    perform bank_post_share(v_step, 'cards', 'cards.settled', 'settled with the issuer of cards', v_share.wallet, v_share.amount, null);
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'cards', unmatched = null, matched_by = 'operator', suggestions = '[]', settled_at = now() where id = p_money;
  perform bank_release(p_money, gen_random_uuid());
  return 'explained';
end $$;

drop function causeway.bank_card_entries;
