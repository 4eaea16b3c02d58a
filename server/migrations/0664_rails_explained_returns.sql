-- What becomes of an explanation (docs/adr/0118-…): the bank returns all of it or a part, or it was wrong and is withdrawn.

-- Returns what a booking was explained as, fees or a settlement with the issuer of cards, as the bank did by another: the other way, at the same account, and
-- no more than was not returned yet. Of what remains of each company's share a part as large is posted back, to the minor unit: the largest remainders have
-- the units that are left, of equal ones the lower company id. What the installation's books hold of the returning booking is given free. False where
-- either is settled otherwise by now, or they do not belong together.
create function causeway.bank_return_explained(p_returned uuid, p_explained uuid, p_about text, p_by text) returns boolean
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_step uuid := gen_random_uuid();
  v_bank text;
  v_asset text;
  v_amount numeric;
  v_unmatched text;
  v_open numeric;
  v_owner uuid;
  v_share record;
  v_shares jsonb := '[]';
begin
  perform from bank_money where id in (p_returned, p_explained) order by id for update;
  select c.bank_id, c.asset_id, t.amount, t.unmatched, (select sum(e.amount) from bank_explanation e where e.money_id = s.id)
  into v_bank, v_asset, v_amount, v_unmatched, v_open
  from bank_money t join bank_money s on s.id = p_explained and s.collection_id = t.collection_id and sign(s.amount) = -sign(t.amount)
  join bank_collection c on c.id = t.collection_id
  where t.id = p_returned and t.state in ('new', 'suspense', 'charged') and not t.is_undetailed and t.reverses_id is null and t.reversed_by_id is null
    and s.state = p_about;
  if not found or abs(v_amount) > abs(v_open) then
    return false;
  end if;

  for v_owner in select companies_at_bank(v_bank, v_asset) loop
    perform set_config('causeway.company_id', v_owner::text, true);
    select k.wallet_id, sum(k.amount) as amount, (array_agg(k.posting_id order by e.created_at, e.id) filter (where e.step = 'explained' and not exists (
      select from bank_explanation w where w.withdraws_id = e.id)))[1] as posting
    into v_share from bank_explained_share k join bank_explanation e on e.id = k.explanation_id
    where k.company_id = company_id() and e.money_id = p_explained group by k.wallet_id having sum(k.amount) <> 0;
    continue when not found;
    v_shares := v_shares || jsonb_build_object('owner', v_owner, 'wallet', v_share.wallet_id, 'amount', v_share.amount, 'posting', v_share.posting);
  end loop;
  if (select sum((k ->> 'amount')::numeric) from jsonb_array_elements(v_shares) k) is distinct from v_open then
    raise exception 'the shares of money % do not come to %', p_explained, v_open;
  end if;

  insert into bank_explanation (id, money_id, about, step, by_id, unmatched, amount)
  values (v_step, p_explained, p_about, 'returned', p_returned, v_unmatched, -v_amount);
  for v_share in
    with share as (
      select (k ->> 'owner')::uuid as owner, (k ->> 'wallet')::uuid as wallet, (k ->> 'posting')::uuid as posting,
        (k ->> 'amount')::numeric * abs(v_amount) as product,
        mod(mod((k ->> 'amount')::numeric * abs(v_amount), abs(v_open)) + abs(v_open), abs(v_open)) as remainder
      from jsonb_array_elements(v_shares) k
    ), part as (
      select owner, wallet, posting, div(product - remainder, abs(v_open)) as whole, row_number() over (order by remainder desc, owner) as place,
        sum(div(product - remainder, abs(v_open))) over () as wholes
      from share
    )
    select owner, wallet, posting, whole + case when place <= v_amount - wholes then 1 else 0 end as amount from part order by owner
  loop
    continue when v_share.amount = 0;
    perform set_config('causeway.company_id', v_share.owner::text, true);
    perform bank_post_share(v_step, p_about, p_about || '.takenBack',
      case p_about when 'fees' then 'fees collected that the bank returned' else 'settlement with the issuer of cards that the bank took back' end,
      v_share.wallet, -v_share.amount, v_share.posting);
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'reversal', unmatched = null, matched_by = p_by, suggestions = '[]', reverses_id = p_explained,
    settled_at = now() where id = p_returned;
  if v_amount = v_open then
    update bank_money set reversed_by_id = p_returned where id = p_explained;
  end if;
  perform bank_release(p_returned, gen_random_uuid());
  return true;
end $$;
revoke execute on function causeway.bank_return_explained from public;
grant execute on function causeway.bank_return_explained to causeway_worker;
drop function causeway.bank_take_back_cards;

-- Whether what a return had put back to an account `fee` or `card` of a company was not collected or settled since; `p_amount` as the share has
-- it, negative where it put something back. Of fees the balance tells. On an account `card` what one settled may be offset by what a card did since, so there
-- it is: shares that are in force, and this one, do not come to more than its cards made.
create function causeway.bank_put_back_is_there(p_company uuid, p_about text, p_wallet uuid, p_amount numeric) returns boolean
  language sql stable set search_path = causeway, pg_temp as $$
  select case p_about when 'fees' then a.balance >= -p_amount else abs(p_amount) + (
      select coalesce(sum(abs(m.amount)), 0) from (select sum(k.amount) as amount from bank_explained_share k
        join bank_explanation x on x.id = k.explanation_id and x.about = 'cards'
        where k.company_id = p_company and k.wallet_id = p_wallet group by x.money_id) m where sign(m.amount) = -sign(p_amount)
    ) <= (
      select coalesce(sum(abs(e.amount)), 0) from ledger_entry e join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      where e.company_id = p_company and e.account_id = a.id and sign(e.amount) = -sign(p_amount)
        and p.kind not in ('cards.settled', 'cards.takenBack', 'cards.withdrawn')
    ) end
  from ledger_account a
  where a.company_id = p_company and a.owner_id = p_wallet and a.kind = case p_about when 'fees' then 'fee' else 'card' end
$$;
revoke execute on function causeway.bank_put_back_is_there from public;
grant execute on function causeway.bank_put_back_is_there to causeway_operator, causeway_console;

-- Withdraws an explanation that was wrong, or a return that operators recorded wrongly: posts each company's share the other way, and the booking is held as
-- before. `other`: it was withdrawn, or the bank has returned of it since, or the bank itself said what it returned; `short`: what a return had put back was
-- collected or settled since.
create function causeway.bank_withdraw_explanation(p_explanation uuid) returns text
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
  v_step uuid := gen_random_uuid();
  v_row bank_explanation;
  v_money bank_money;
  v_place record;
  v_owner uuid;
  v_share record;
  v_shares jsonb := '[]';
begin
  select * into v_row from bank_explanation where id = p_explanation and step <> 'withdrawn';
  if not found then
    return 'other';
  end if;
  perform from bank_money where id in (v_row.money_id, v_row.by_id) order by id for update;
  select * into v_money from bank_money where id = coalesce(v_row.by_id, v_row.money_id);
  if v_money.matched_by is distinct from 'operator' or exists (select from bank_explanation where withdraws_id = v_row.id)
    or (v_row.step = 'explained' and exists (select from bank_explanation r where r.money_id = v_row.money_id and r.step = 'returned'
      and not exists (select from bank_explanation w where w.withdraws_id = r.id))) then
    return 'other';
  end if;

  select c.bank_id, c.asset_id into v_place from bank_collection c where c.id = v_money.collection_id;
  for v_owner in select companies_at_bank(v_place.bank_id, v_place.asset_id) loop
    perform set_config('causeway.company_id', v_owner::text, true);
    select k.wallet_id, k.posting_id, k.amount into v_share from bank_explained_share k
    where k.company_id = company_id() and k.explanation_id = v_row.id;
    continue when not found;
    -- In the order in which postings lock them.
    perform from ledger_account where company_id = company_id() and owner_id = v_share.wallet_id
      and kind in ('bank', case v_row.about when 'fees' then 'fee' else 'card' end) order by id for no key update;
    if v_row.step = 'returned' and not bank_put_back_is_there(v_owner, v_row.about, v_share.wallet_id, v_share.amount) then
      perform set_config('causeway.company_id', coalesce(v_company, ''), true);
      return 'short';
    end if;
    v_shares := v_shares || jsonb_build_object('owner', v_owner, 'wallet', v_share.wallet_id, 'posting', v_share.posting_id, 'amount', v_share.amount);
  end loop;
  if (select sum((k ->> 'amount')::numeric) from jsonb_array_elements(v_shares) k) is distinct from v_row.amount then
    raise exception 'the shares of explanation % do not come to %', v_row.id, v_row.amount;
  end if;

  insert into bank_explanation (id, money_id, about, step, by_id, withdraws_id, amount)
  values (v_step, v_row.money_id, v_row.about, 'withdrawn', v_row.by_id, v_row.id, -v_row.amount);
  for v_share in
    select (k ->> 'owner')::uuid as owner, (k ->> 'wallet')::uuid as wallet, (k ->> 'posting')::uuid as posting, (k ->> 'amount')::numeric as amount
    from jsonb_array_elements(v_shares) k order by 1
  loop
    perform set_config('causeway.company_id', v_share.owner::text, true);
    perform bank_post_share(v_step, v_row.about, v_row.about || '.withdrawn', 'what operators had explained wrongly', v_share.wallet, -v_share.amount,
      v_share.posting);
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  -- What would have had a credit looked at again in the meantime did not find it.
  update bank_money set state = case when amount > 0 then 'suspense' else 'charged' end,
    unmatched = case when amount > 0 and v_row.unmatched in ('several', 'payout', 'again') then 'again' else coalesce(v_row.unmatched, 'nothing') end,
    matched_by = null, reverses_id = null where id = v_money.id;
  if v_row.step = 'returned' then
    update bank_money set reversed_by_id = null where id = v_row.money_id;
  end if;
  perform bank_hold_again(v_money.id, v_step);
  return 'withdrawn';
end $$;
revoke execute on function causeway.bank_withdraw_explanation from public;
grant execute on function causeway.bank_withdraw_explanation to causeway_worker;
