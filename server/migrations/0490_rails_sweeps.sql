-- Further deposit addresses on chains with accounts, and sweeps, which move what reached them to the company's account (docs/adr/0099).

do $$
begin
  execute (select format('alter domain causeway.transaction_type drop constraint %I', conname) from pg_constraint
    where contypid = 'causeway.transaction_type'::regtype);
end $$;
alter domain causeway.transaction_type add constraint transaction_type_check check (value in ('chain_deposit', 'chain_withdraw',
  'chain_accelerate', 'chain_sweep', 'crypto_payout', 'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out',
  'fiat_exchange_in', 'fiat_deposit', 'fiat_payout', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));

alter table causeway.chain_further_address
  -- Opened for one purpose, and never shown as where the wallet's deposits are to go.
  add column is_apart boolean not null default false,
  -- As in chain_address: the next nonce of what it sends.
  add column next_nonce bigint not null default 0 check (next_nonce >= 0),
  -- Wei that the gas tank advanced to it, less what its final sweeps have spent: a part of the company's account `gas`.
  add column gas numeric(78, 0) not null default 0;
grant update (next_nonce, gas) on causeway.chain_further_address to causeway_worker;
create index chain_further_address_gas on causeway.chain_further_address (company_id, chain_id) where gas <> 0;
create index chain_further_address_sender on causeway.chain_further_address (chain_id, address) where next_nonce > 0;

create or replace view causeway.chain_own_address with (security_invoker = true) as
  select company_id, chain_id, address, 0::bigint as ordinal, first_used_at, false as is_change, false as is_apart from causeway.chain_address
  union all
  select company_id, chain_id, address, derivation_index, first_used_at, is_change, is_apart from causeway.chain_further_address;

create or replace function causeway.receiving_address(p_chain_id text) returns text language sql stable
  set search_path = causeway, pg_temp as $$
  select coalesce(
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id and not o.is_change and not o.is_apart and o.ordinal > coalesce((
       select max(u.ordinal) from chain_own_address u
       where u.company_id = company_id() and u.chain_id = p_chain_id and not u.is_change and not u.is_apart and u.first_used_at is not null), -1)
     order by o.ordinal limit 1),
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id and not o.is_change and not o.is_apart order by o.ordinal desc limit 1));
$$;

-- Places of addresses that are opened apart: of no company's own sequence, so that an address says nothing of how many a company has. After a
-- restore the sequence moves on, as that of companies does: an address that was shown after the backup is not given out for something else.
create sequence causeway.apart_address_index as bigint minvalue 1 maxvalue 999999999 start 1;
grant usage on sequence causeway.apart_address_index to causeway_worker;
create function causeway.skip_apart_addresses() returns trigger
language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  perform setval('apart_address_index', nextval('apart_address_index') + 100000);
  return null;
end $$;
revoke execute on function causeway.skip_apart_addresses() from public;
create trigger restore_skips_apart_addresses after insert on causeway.restore_mode
  for each row execute function causeway.skip_apart_addresses();

-- A company on a chain has several sending addresses now, each with a hold of its own.
alter table causeway.sender_hold drop constraint sender_hold_pkey, add primary key (company_id, chain_id, address);

-- Further addresses at which credited coins of a wallet may lie. A list of work: what lies there is computed from deposits and sweeps.
create table causeway.chain_unswept (
  company_id uuid not null,
  wallet_id uuid not null,
  address text not null,
  since timestamptz not null default now(),
  primary key (company_id, wallet_id, address),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.chain_unswept');
create policy watcher on causeway.chain_unswept to causeway_worker using (true) with check (true);
grant select, insert, delete on causeway.chain_unswept to causeway_worker;
grant select on causeway.chain_unswept to causeway_operator;
create index transaction_sweep on causeway.transaction (company_id, wallet_id, payer_account) where type = 'chain_sweep';

-- A payment waits for exchanged coins, or for coins that are at further addresses of its own company.
alter table causeway.settlement_wait
  add column cause text not null default 'exchanged' check (cause in ('exchanged', 'swept'));
grant update (cause) on causeway.settlement_wait to causeway_worker;

-- The signer's journal names which of a company's addresses pays; null where it is its account.
alter table causeway.signer_journal add column ordinal bigint check (ordinal > 0);

-- Hidden where settlements are (migration 0316): none of the company's money leaves or comes.
alter policy operators_own on causeway.transaction
  using (type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'))
  with check (type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));
alter policy look_own on causeway.transaction
  using (type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'));
create or replace function causeway.count_transactions() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  insert into transaction_count as c (company_id, slot, rows)
  select company_id, pg_backend_pid() % 1024, count(*) from added
    where type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out') group by company_id
  on conflict (company_id, slot) do update set rows = c.rows + excluded.rows where c.rows <= 10000;
  return null;
end $$;
-- The filter of the lists as it is, with one more type that they leave out.
grant create on schema causeway to causeway_search;
do $$
declare
  v_filter constant text := pg_get_functiondef('causeway.transaction_filter(jsonb)'::regprocedure);
  v_hidden constant text := '(''''fee_withdraw'''', ';
begin
  if strpos(v_filter, v_hidden) = 0 then raise exception 'the filter of transactions has another form'; end if;
  execute replace(v_filter, v_hidden, '(''''chain_sweep'''', ''''fee_withdraw'''', ');
end $$;
revoke create on schema causeway from causeway_search;
