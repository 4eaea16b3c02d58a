-- A wallet is one coin on one chain for one company.

create table causeway.wallet (
  company_id uuid not null,
  id uuid not null,
  chain_id text not null references causeway.chain (id),
  coin text not null,
  frozen_at timestamptz,
  frozen_reason text,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, chain_id, coin),
  foreign key (company_id, chain_id) references causeway.chain_address (company_id, chain_id),
  foreign key (chain_id, coin) references causeway.chain_asset (chain_id, coin)
);
call causeway.fence('causeway.wallet');
create policy signer_reads on causeway.wallet for select to causeway_signer using (true);
create policy operator_writes on causeway.wallet for update to causeway_operator using (true) with check (true);
grant select on causeway.wallet to causeway_app, causeway_signer, causeway_operator;
grant select, insert, update (frozen_at, frozen_reason) on causeway.wallet to causeway_worker;
grant update (frozen_at, frozen_reason) on causeway.wallet to causeway_operator;
