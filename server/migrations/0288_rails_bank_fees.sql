-- The firm's transfer of collected fees to itself, which the bank has booked and two operators have explained: set off against the fees of companies.

-- fees: such a debit.
alter table causeway.bank_money drop constraint bank_money_state_check;
alter table causeway.bank_money add constraint bank_money_state_check check (state in
  ('new', 'credited', 'suspense', 'charged', 'reversal', 'returned', 'detailed', 'paid', 'sentBack', 'fees'));

-- What of such a debit was taken from one company's fees.
create table causeway.bank_fee_share (
  company_id uuid not null,
  money_id uuid not null references causeway.bank_money (id),
  wallet_id uuid not null,
  amount numeric(78, 0) not null check (amount > 0),
  primary key (company_id, money_id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
create index bank_fee_share_money on causeway.bank_fee_share (money_id);
call causeway.fence('causeway.bank_fee_share');
grant select on causeway.bank_fee_share to causeway_worker, causeway_operator, causeway_console;

-- Explains a debit that is held as taken by the bank as fees collected: takes its amount from the fees of companies in its currency at its bank, the
-- oldest first, each company by a posting of its own, and gives free what the installation's books hold of it. All of it or none: `short`, the fees do
-- not cover it; `settled`, the debit is not held, or is about something else. A company's balance of fees is taken to be its newest.
create function causeway.bank_collect_fees(p_money uuid) returns text
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_company text := current_setting('causeway.company_id', true);
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
  where m.id = p_money and m.state = 'charged' and m.amount < 0 and m.unmatched = 'nothing' and not m.is_undetailed and m.reverses_id is null
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
      select jsonb_agg(jsonb_build_object('owner', v_owner, 'wallet', v_wallet, 'at', l.created_at, 'amount', least(l.amount, v_fee.balance - l.newer)))
      from (
        select created_at, amount, coalesce(sum(amount) over (order by sequence desc rows between unbounded preceding and 1 preceding), 0) as newer
        from ledger_entry where company_id = company_id() and account_id = v_fee.id and amount > 0
      ) l where l.newer < v_fee.balance);
  end loop;

  if (select coalesce(sum((l ->> 'amount')::numeric), 0) from jsonb_array_elements(v_lots) l) < v_amount then
    perform set_config('causeway.company_id', coalesce(v_company, ''), true);
    return 'short';
  end if;
  for v_share in
    with lot as (
      select (l ->> 'owner')::uuid as owner, (l ->> 'wallet')::uuid as wallet, (l ->> 'amount')::numeric as amount,
        sum((l ->> 'amount')::numeric) over (order by (l ->> 'at')::timestamptz, l ->> 'owner', n) as until
      from jsonb_array_elements(v_lots) with ordinality as e (l, n)
    )
    select owner, wallet, sum(least(amount, v_amount - (until - amount))) as amount from lot
    where until - amount < v_amount group by owner, wallet order by owner
  loop
    perform set_config('causeway.company_id', v_share.owner::text, true);
    insert into bank_fee_share (company_id, money_id, wallet_id, amount) values (company_id(), p_money, v_share.wallet, v_share.amount);
    perform ledger_post(gen_random_uuid(), 'fees.collected', p_money, 'fees that the firm has transferred to itself', null,
      array_agg(a.id order by a.id), array_agg(case a.kind when 'fee' then -v_share.amount else v_share.amount end order by a.id))
    from ledger_account a where a.company_id = company_id() and a.owner_id = v_share.wallet and a.kind in ('bank', 'fee');
  end loop;
  perform set_config('causeway.company_id', coalesce(v_company, ''), true);

  update bank_money set state = 'fees', unmatched = null, matched_by = 'operator', suggestions = '[]', settled_at = now() where id = p_money;
  perform bank_release(p_money, gen_random_uuid());
  return 'collected';
end $$;
revoke execute on function causeway.bank_collect_fees from public;
grant execute on function causeway.bank_collect_fees to causeway_worker;
grant execute on function causeway.companies_at_bank to causeway_owner;
