-- A chain holds coins, never currencies.
alter table causeway.chain_asset
  add column asset_kind text not null generated always as ('coin') stored,
  add foreign key (coin, asset_kind) references causeway.asset (id, kind);
