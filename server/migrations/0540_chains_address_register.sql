-- Up to which entry of the signer's register of addresses (docs/adr/0106) all of them are open here. A restore takes it back with the addresses, so that
-- what was opened since the backup is opened again.
create table causeway.address_register_mark (
  one boolean primary key default true check (one),
  seq bigint not null check (seq >= 0),
  hash text not null
);
grant select, insert, update on causeway.address_register_mark to causeway_worker;
