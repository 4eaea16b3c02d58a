-- What the operator paid the issuer of cards from companies' bank accounts, or was paid by it, as the bank booked it and two operators explained it
-- (docs/adr/0108-…): set off against the accounts `card` of companies.

-- cards: such a debit or credit.
alter table causeway.bank_money drop constraint bank_money_state_check;
alter table causeway.bank_money add constraint bank_money_state_check check (state in
  ('new', 'credited', 'suspense', 'charged', 'reversal', 'returned', 'detailed', 'paid', 'sentBack', 'fees', 'cards'));

-- What of it settled one wallet: positive, its cleared payments; negative, its refunds.
create table causeway.bank_card_share (
  company_id uuid not null,
  money_id uuid not null references causeway.bank_money (id),
  wallet_id uuid not null,
  amount numeric(78, 0) not null check (amount <> 0),
  primary key (company_id, money_id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
create index bank_card_share_money on causeway.bank_card_share (money_id);
call causeway.fence('causeway.bank_card_share');
grant select on causeway.bank_card_share to causeway_worker, causeway_operator, causeway_console;

-- Explains a held debit as paid to the issuer, or a held credit as paid by it, at its bank in its currency. Where a debit pays cleared payments, the
-- refunds of all wallets there are settled in whole, as the issuer deducts them, and with their sum more payments are: the oldest first. Where a credit
-- pays refunds, it is the other way round. So the accounts come down by exactly what the bank booked. All of it or none: `short`, less than that is owed;
-- `settled`, the money is not held, or is about something else. A wallet's balance is taken to be its newest entries of its sign.
create function causeway.bank_settle_cards(p_money uuid) returns text
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
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
      select jsonb_agg(jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'at', l.created_at, 'sequence', l.sequence,
        'amount', least(l.amount, v_card.balance - l.newer)))
      from (
        select created_at, sequence, amount * v_sign as amount,
          coalesce(sum(amount * v_sign) over (order by sequence desc rows between unbounded preceding and 1 preceding), 0) as newer
        from ledger_entry where company_id = company_id() and account_id = v_card.id and amount * v_sign > 0
      ) l where l.newer < v_card.balance);
  end loop;

  -- `v_amount` is by now the money and all of the other side, so this is the money against what is owed of both.
  if (select coalesce(sum((l ->> 'amount')::numeric), 0) from jsonb_array_elements(v_lots) l) < v_amount then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return 'short';
  end if;
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
    insert into bank_card_share (company_id, money_id, wallet_id, amount) values (company_id(), p_money, v_share.wallet, v_share.amount);
    perform ledger_post(gen_random_uuid(), 'cards.settled', p_money, 'settled with the issuer of cards', null,
      array_agg(a.id order by a.id), array_agg(case a.kind when 'card' then -v_share.amount else v_share.amount end order by a.id))
    from ledger_account a where a.company_id = company_id() and a.owner_id = v_share.wallet and a.kind in ('bank', 'card');
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'cards', unmatched = null, matched_by = 'operator', suggestions = '[]', settled_at = now() where id = p_money;
  perform bank_release(p_money, gen_random_uuid());
  return 'explained';
end $$;
revoke execute on function causeway.bank_settle_cards from public;
grant execute on function causeway.bank_settle_cards to causeway_worker;
