-- A wallet is an asset at a place: a coin on a chain, or a currency at a bank (docs/adr/0061). The foreign keys say which assets a
-- place holds; of the two places exactly one is named.
alter table causeway.wallet rename column coin to asset_id;
alter table causeway.wallet
  alter column chain_id drop not null,
  add column bank_id text,
  add constraint wallet_place check (num_nonnulls(chain_id, bank_id) = 1),
  add unique (company_id, bank_id, asset_id),
  add foreign key (company_id, bank_id, asset_id) references causeway.bank_account (company_id, bank_id, asset_id);
