-- When the gas tank of a chain is low, and when it stops: changed by two operators. Where a chain has no row, the contract's defaults hold.
create table causeway.operator_tank_threshold (
  chain_id text primary key references causeway.chain (id),
  -- Low: it lasts fewer days at the present rate, or can advance fewer payments at the present fee.
  warn_days integer not null check (warn_days between 1 and 365),
  warn_payments integer not null check (warn_payments between 1 and 100000),
  -- Below so many payments it advances nothing for a payment that has not begun; what was begun keeps the rest. 0: it never stops.
  stop_payments integer not null check (stop_payments >= 0 and stop_payments < warn_payments),
  set_at timestamptz not null default now(),
  proposal_id uuid not null unique references causeway.operator_proposal (id)
);
grant select, insert, update on causeway.operator_tank_threshold to causeway_console;
grant select on causeway.operator_tank_threshold to causeway_worker;

-- A broken console process alone changes none: the proposal was confirmed, in this transaction, about this chain and with these values.
create function causeway.keep_tank_threshold() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if not exists (
    select from operator_proposal p
    where p.id = new.proposal_id and p.state = 'confirmed' and p.kind = 'tank.threshold' and p.subject_id = new.chain_id
      and (p.input ->> 'warnDays')::integer = new.warn_days and (p.input ->> 'warnPayments')::integer = new.warn_payments
      and (p.input ->> 'stopPayments')::integer = new.stop_payments)
  then
    raise exception 'thresholds of a gas tank are changed by a confirmed proposal' using errcode = 'CW001';
  end if;
  new.set_at := now();
  return new;
end $$;
create trigger kept before insert or update on causeway.operator_tank_threshold for each row execute function causeway.keep_tank_threshold();

-- The worker sends no fees to an address that was removed after the collection was confirmed.
grant select (id, removed_at) on causeway.operator_treasury_address to causeway_worker;
