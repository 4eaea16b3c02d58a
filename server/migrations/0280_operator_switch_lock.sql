-- One lock for the switches of a place and for handing payments over there: whatever is handed over after a switch-off has committed has seen it.
-- A place is `chain:<id>`, or `banks` for all banks: their file, and the switches of their currencies.
create function causeway.switch_lock(p_place text) returns bigint language sql immutable parallel safe
  return hashtextextended('causeway.switch:' || p_place, 0);
revoke execute on function causeway.switch_lock from public;
grant execute on function causeway.switch_lock to causeway_worker;

create or replace function causeway.keep_switches() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  perform pg_advisory_xact_lock(switch_lock(coalesce('chain:' || new.chain_id, 'banks')));
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
