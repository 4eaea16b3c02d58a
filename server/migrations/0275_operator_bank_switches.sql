-- The operator switches recharges and payouts of a currency at a bank off and on, as deposits and withdrawals of a coin on a chain. What the file of
-- banks says (enabled, payouts_paused) stays what the file says.
alter table causeway.bank_asset add column recharges_off boolean not null default false, add column payouts_off boolean not null default false;

alter table causeway.operator_switch alter column chain_id drop not null,
  add column bank_id text references causeway.bank (id),
  drop constraint operator_switch_what_check,
  add constraint operator_switch_what_check check (what in ('chain', 'withdrawals', 'deposits', 'recharges', 'payouts')),
  add check ((chain_id is null) = (bank_id is not null)),
  -- `coin` is the currency there.
  add check ((what in ('recharges', 'payouts')) = (bank_id is not null)),
  add foreign key (bank_id, coin) references causeway.bank_asset (bank_id, asset_id);
drop index causeway.operator_switch_off;
create unique index operator_switch_off on causeway.operator_switch (coalesce(chain_id, ''), coalesce(bank_id, ''), coalesce(coin, ''), what)
  where on_at is null;
grant insert (bank_id) on causeway.operator_switch to causeway_console;

create or replace function causeway.keep_switches() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if old.on_at is not null or not exists (
      select from operator_proposal p
      where p.id = new.on_proposal and p.state = 'confirmed' and p.kind = 'switch.on' and p.subject_id = new.id::text)
    then
      raise exception 'what is off is switched on by a confirmed proposal, once' using errcode = 'CW001';
    end if;
    new.on_at := now();
  end if;
  update chain set paused = new.on_at is null where new.what = 'chain' and id = new.chain_id;
  update chain_asset set withdrawals_paused = new.on_at is null
  where new.what = 'withdrawals' and chain_id = new.chain_id and coin = new.coin;
  update chain_asset set deposits_paused = new.on_at is null
  where new.what = 'deposits' and chain_id = new.chain_id and coin = new.coin;
  update bank_asset set recharges_off = new.on_at is null
  where new.what = 'recharges' and bank_id = new.bank_id and asset_id = new.coin;
  update bank_asset set payouts_off = new.on_at is null
  where new.what = 'payouts' and bank_id = new.bank_id and asset_id = new.coin;
  return new;
end $$;

-- Nothing leaves in a currency whose payouts are off: what waits for an order goes on waiting.
grant create on schema causeway to causeway_lookup;
grant select on causeway.bank, causeway.bank_asset to causeway_lookup;
create or replace function causeway.bank_orders_ready(p_bank text, p_asset text, p_level text, p_most integer) returns setof uuid
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select l.transaction_id from bank_order_line l
  where l.bank_id = p_bank and l.asset_id = p_asset and l.service_level = p_level and l.state = 'waiting'
    and exists (select from bank_asset ba join bank b on b.id = ba.bank_id
      where ba.bank_id = p_bank and ba.asset_id = p_asset and b.enabled and ba.enabled and not (ba.payouts_paused or ba.payouts_off))
    and not exists (select from wallet w where w.company_id = l.company_id and w.id = l.wallet_id and w.frozen_at is not null)
    and not exists (select from company c where c.company_id = l.company_id and c.frozen_at is not null)
  order by l.created_at, l.transaction_id limit p_most
$$;
revoke create on schema causeway from causeway_lookup;
