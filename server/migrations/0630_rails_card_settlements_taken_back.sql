-- A settlement with the issuer of cards that the bank takes back (docs/adr/0108-…). What it had settled is owed again, and as old as it was: what a wallet
-- owes is made up of its newest payments or refunds, and what settled them, or took that back, is neither.

-- The newest entry of one sign in an account `card` before a place in it, of those that a card made: none, or one.
create function causeway.bank_card_entries(p_account uuid, p_sign integer, p_before bigint) returns setof causeway.ledger_entry
  language sql stable set search_path = causeway, pg_temp as $$
  select e.* from ledger_entry e
  where e.company_id = company_id() and e.account_id = p_account and e.amount * p_sign > 0 and (p_before is null or e.sequence < p_before)
    and not exists (select from ledger_posting p where p.company_id = e.company_id and p.id = e.posting_id and p.kind in ('cards.settled', 'cards.takenBack'))
  order by e.sequence desc limit 1
$$;
revoke execute on function causeway.bank_card_entries from public;

-- Explains a held debit as paid to the issuer, or a held credit as paid by it, at its bank in its currency. Where a debit pays cleared payments, the
-- refunds of all wallets there are settled in whole, as the issuer deducts them, and with their sum more payments are: the oldest first. Where a credit
-- pays refunds, it is the other way round. So the accounts come down by exactly what the bank booked. All of it or none: `short`, less than that is owed;
-- `settled`, the money is not held, or is about something else. A wallet's balance is taken to be the newest entries
-- of its sign that a card made.
create or replace function causeway.bank_settle_cards(p_money uuid) returns text
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
      with recursive lot as (
        (select e.created_at, e.sequence, (e.amount * v_sign)::numeric as amount, 0::numeric as newer
          from bank_card_entries(v_card.id, v_sign, null) e)
        union all
        select e.created_at, e.sequence, (e.amount * v_sign)::numeric, l.newer + l.amount
        from lot l, lateral bank_card_entries(v_card.id, v_sign, l.sequence) e where l.newer + l.amount < v_card.balance
      )
      select jsonb_agg(jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'at', l.created_at, 'sequence', l.sequence,
        'amount', least(l.amount, v_card.balance - l.newer))) from lot l);
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

-- Takes back what a booked money had settled, as the bank did by another: of its amount, the other way, at the same account. Each company's share is posted
-- back, and what the installation's books hold of the second is given free. False where either is settled otherwise by now, or they do not belong together.
create function causeway.bank_take_back_cards(p_taken uuid, p_settled uuid, p_by text) returns boolean
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_bank text;
  v_asset text;
  v_owner uuid;
  v_share record;
  v_settled uuid;
begin
  perform from bank_money where id in (p_taken, p_settled) order by id for update;
  select c.bank_id, c.asset_id into v_bank, v_asset
  from bank_money t join bank_money s on s.id = p_settled and s.collection_id = t.collection_id and s.amount = -t.amount
  join bank_collection c on c.id = t.collection_id
  where t.id = p_taken and t.state in ('new', 'suspense', 'charged') and not t.is_undetailed and t.reverses_id is null and t.reversed_by_id is null
    and s.state = 'cards' and s.reversed_by_id is null;
  if not found then
    return false;
  end if;

  -- In the order in which settlements lock them.
  for v_owner in select companies_at_bank(v_bank, v_asset) loop
    perform set_config('causeway.company_id', v_owner::text, true);
    select wallet_id, amount into v_share from bank_card_share where company_id = company_id() and money_id = p_settled;
    continue when not found;
    select id into v_settled from ledger_posting where company_id = company_id() and source_id = p_settled and kind = 'cards.settled';
    perform ledger_post(gen_random_uuid(), 'cards.takenBack', p_settled, 'settlement with the issuer of cards that the bank took back', v_settled,
      array_agg(a.id order by a.id), array_agg(case a.kind when 'card' then v_share.amount else -v_share.amount end order by a.id))
    from ledger_account a where a.company_id = company_id() and a.owner_id = v_share.wallet_id and a.kind in ('bank', 'card');
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'reversal', unmatched = null, matched_by = p_by, suggestions = '[]', reverses_id = p_settled,
    settled_at = now() where id = p_taken;
  update bank_money set reversed_by_id = p_taken where id = p_settled;
  perform bank_release(p_taken, gen_random_uuid());
  return true;
end $$;
revoke execute on function causeway.bank_take_back_cards from public;
grant execute on function causeway.bank_take_back_cards to causeway_worker;
