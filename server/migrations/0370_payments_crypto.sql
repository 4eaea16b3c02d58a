-- Payments out of a coin wallet (docs/adr/0086-…): the payee's bank account is credited an exact amount of its currency, which is bought for it.

-- Where what was bought is held and leaves from, and the fee of its bank, both of the payout's currency; null: those of its transaction.
alter table causeway.payout
  add column wallet_id uuid,
  add column amount numeric(78, 0) check (amount > 0),
  add column fee numeric(78, 0) check (fee >= 0),
  add constraint payout_bought check (num_nulls(wallet_id, amount, fee) in (0, 3)),
  add foreign key (company_id, wallet_id) references causeway.wallet (company_id, id);
create index payout_bought on causeway.payout (company_id, wallet_id) where wallet_id is not null;

-- What it costs is priced anew when it is approved, as that of an exchange.
create or replace function causeway.keep_amounts() returns trigger language plpgsql as $$
begin
  if old.type not in ('crypto_exchange_out', 'fiat_exchange_out', 'crypto_payout') or old.stage <> 'waiting_approval' then
    raise exception 'the amounts of a transaction do not change' using errcode = 'CW001';
  end if;
  return new;
end $$;

-- No more leaves a company's wallet than its code and its approvals are bound to, whatever a process of ours writes.
create policy guard on causeway.payout for select to causeway_owner using (true);
create function causeway.check_payout_bought() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if new.executed_at is not null and exists (
    select from payout p where p.company_id = new.company_id and p.transaction_id = new.transaction_id
      and (new.fixed <> 'buy' or new.executed_sold + new.executed_fee > new.bound or new.executed_bought <> p.amount + p.fee
        or new.buy_wallet_id is distinct from p.wallet_id))
  then
    raise exception 'what is bought for payment % is its amount and fee, within its bound', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger is_of_payout after insert or update on causeway.exchange deferrable initially deferred
  for each row execute function causeway.check_payout_bought();

-- Risk counts a payment out of coins in both: in its currency, and in the coin that it is paid with.
alter table causeway.risk_flow
  add column coin_quantity numeric(78, 0) check (coin_quantity > 0),
  add column coin_decimals smallint,
  add check (num_nulls(coin_quantity, coin_decimals) in (0, 2)),
  add check (coin_quantity is null or (coin is not null and currency is not null));
