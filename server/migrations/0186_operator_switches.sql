-- What the operator has switched off: a chain, or deposits or withdrawals of a coin on a chain. Off is done by one operator at once, on is confirmed by
-- a second. The row is the record; the registry's columns, which submissions read, follow it. `enabled` stays what the configuration says.
alter table causeway.chain add column paused boolean not null default false;
alter table causeway.chain_asset add column withdrawals_paused boolean not null default false,
  add column deposits_paused boolean not null default false;

create table causeway.operator_switch (
  id uuid primary key,
  chain_id text not null references causeway.chain (id),
  -- Null: the whole chain.
  coin text references causeway.asset (id),
  what text not null check (what in ('chain', 'withdrawals', 'deposits')),
  off_at timestamptz not null default now(),
  off_by uuid not null references causeway.operator_account (id),
  reason text not null,
  on_at timestamptz,
  -- The proposal that two operators agreed on.
  on_proposal uuid unique references causeway.operator_proposal (id),
  check ((what = 'chain') = (coin is null)),
  check ((on_at is null) = (on_proposal is null))
);
create unique index operator_switch_off on causeway.operator_switch (chain_id, coalesce(coin, ''), what) where on_at is null;
grant select, insert (id, chain_id, coin, what, off_by, reason), update (on_at, on_proposal) on causeway.operator_switch to causeway_console;
grant select on causeway.operator_switch to causeway_operator;

-- With its owner's rights: the console's role cannot write the registry.
create function causeway.keep_switches() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
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
  return new;
end $$;
create trigger kept before insert or update on causeway.operator_switch for each row execute function causeway.keep_switches();
