-- The payee book: withdrawal addresses. A deleted one keeps its row, so that old transactions still name it.

create table causeway.crypto_payee (
  company_id uuid not null,
  id uuid not null,
  label text not null,
  -- Chains are registered later (0008), hence no foreign key; adding one is checked by the service.
  chain_id text not null,
  coin text not null references causeway.asset (id),
  -- As the chain writes it (EIP-55), so that equal addresses are equal texts.
  address text not null,
  -- First and last four hex characters: what a hurried eye compares.
  likeness text not null,
  remark text not null default '',
  status text not null default 'usable' check (status in ('usable', 'unusable', 'deleted')),
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id)
);
call causeway.fence('causeway.crypto_payee');
create unique index crypto_payee_address on causeway.crypto_payee (company_id, chain_id, coin, address)
  where status <> 'deleted';
create index crypto_payee_time on causeway.crypto_payee (company_id, created_at desc, id desc);
create index crypto_payee_likeness on causeway.crypto_payee (company_id, likeness);
create policy signer_reads on causeway.crypto_payee for select to causeway_signer using (true);
grant select, insert, update (status, deleted_at) on causeway.crypto_payee to causeway_app;
grant select on causeway.crypto_payee to causeway_worker, causeway_signer, causeway_operator;
