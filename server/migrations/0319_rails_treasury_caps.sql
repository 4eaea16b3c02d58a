-- Settlements that the signer refused because the treasury has paid as much of the coin within a day as its own configuration allows.
create table causeway.settlement_capped (
  company_id uuid not null,
  settlement_id uuid not null,
  since timestamptz not null default now(),
  primary key (company_id, settlement_id),
  foreign key (company_id, settlement_id) references causeway.settlement (company_id, id)
);
call causeway.fence('causeway.settlement_capped');
create policy worker_reads on causeway.settlement_capped for select to causeway_worker using (true);
grant select, insert on causeway.settlement_capped to causeway_worker;
grant select on causeway.settlement_capped to causeway_operator, causeway_console;
