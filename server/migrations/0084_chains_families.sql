-- A chain is of a family, which the program knows by its name (docs/adr/0055). Only EVM chains have a number of EIP-155.
alter table causeway.chain
  drop constraint chain_family_check,
  add check (family ~ '^[a-z][a-z0-9-]{0,15}$'),
  alter column evm_chain_id drop not null,
  add check ((family = 'evm') = (evm_chain_id is not null));

-- `chain_address` is the company's account on a chain: its first address and, where the chain counts them, its nonces. A family
-- that wants a fresh address for each deposit opens further ones.
alter table causeway.chain_address add column first_used_at timestamptz;
grant update (first_used_at) on causeway.chain_address to causeway_worker;

create table causeway.chain_further_address (
  company_id uuid not null,
  chain_id text not null,
  -- As the chain writes it.
  address text not null,
  -- Place among the company's addresses on the chain; the account's own is 0.
  derivation_index bigint not null check (derivation_index > 0),
  created_at timestamptz not null default now(),
  -- When the first deposit to it was seen.
  first_used_at timestamptz,
  primary key (company_id, chain_id, derivation_index),
  unique (chain_id, address),
  foreign key (company_id, chain_id) references causeway.chain_address (company_id, chain_id)
);
call causeway.fence('causeway.chain_further_address');
create policy signer_reads on causeway.chain_further_address for select to causeway_signer using (true);
create policy watcher on causeway.chain_further_address to causeway_worker using (true) with check (true);
grant select on causeway.chain_further_address to causeway_app, causeway_signer, causeway_operator;
grant select, insert, update (first_used_at) on causeway.chain_further_address to causeway_worker;

-- Every address of a company on a chain, in the order in which they are shown; the gas tank's under the nil UUID.
create view causeway.chain_own_address with (security_invoker = true) as
  select company_id, chain_id, address, 0::bigint as ordinal, first_used_at from causeway.chain_address
  union all
  select company_id, chain_id, address, derivation_index, first_used_at from causeway.chain_further_address;
grant select on causeway.chain_own_address to causeway_app, causeway_worker, causeway_signer, causeway_operator;

-- Where deposits of the company are to go: its first address after the last that had a deposit, or the newest while no other is
-- open. Null until its wallets are opened.
create function causeway.receiving_address(p_chain_id text) returns text language sql stable
  set search_path = causeway, pg_temp as $$
  select coalesce(
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id and o.ordinal > coalesce((
       select max(u.ordinal) from chain_own_address u
       where u.company_id = company_id() and u.chain_id = p_chain_id and u.first_used_at is not null), -1)
     order by o.ordinal limit 1),
    (select o.address from chain_own_address o
     where o.company_id = company_id() and o.chain_id = p_chain_id order by o.ordinal desc limit 1));
$$;

-- Likeness is the family's: the database finds candidates by their ends, and the program compares them. EVM addresses keep their
-- index by both ends; others are found by their last four characters.
create function causeway.address_ending(address text) returns text language sql immutable parallel safe
  return case when address !~ '^0x[0-9a-fA-F]{40}$' then lower(right(address, 4)) end;
create index transaction_payer_ending on causeway.transaction (company_id, causeway.address_ending(payer_account))
  where chain_id is not null and causeway.address_ending(payer_account) is not null;
create index transaction_payee_ending on causeway.transaction (company_id, causeway.address_ending(payee_account))
  where chain_id is not null and causeway.address_ending(payee_account) is not null;

-- Addresses that the company has dealt with on a chain and that end as one does.
create function causeway.transaction_addresses_ending(p_chain_id text, p_address text, p_most integer)
  returns table (address text, name text) language sql stable
  security definer set search_path = causeway, pg_temp as $$
  select address, min(name) from (
    (select payee_account as address, payee_name as name from transaction
     where company_id = company_id() and address_ending(payee_account) = address_ending(p_address)
       and chain_id = p_chain_id limit 500)
    union all
    (select payer_account, payer_name from transaction
     where company_id = company_id() and address_ending(payer_account) = address_ending(p_address)
       and chain_id = p_chain_id limit 500)
    union all
    (select payee_account, payee_name from transaction
     where company_id = company_id() and address_likeness(payee_account) = address_likeness(p_address)
       and chain_id = p_chain_id limit 500)
    union all
    (select payer_account, payer_name from transaction
     where company_id = company_id() and address_likeness(payer_account) = address_likeness(p_address)
       and chain_id = p_chain_id limit 500)
  ) as alike group by address order by address limit p_most;
$$;
grant usage, create on schema causeway to causeway_search;
alter function causeway.transaction_addresses_ending owner to causeway_search;
revoke create on schema causeway from causeway_search;
revoke execute on function causeway.transaction_addresses_ending from public;
grant execute on function causeway.transaction_addresses_ending to causeway_app;
