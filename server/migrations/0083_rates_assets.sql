-- Prices of coins and of currencies, each with its source. The US dollar needs no row: it is the unit.
alter table causeway.rate rename column coin to asset_id;
alter table causeway.rate_daily rename column coin to asset_id;
alter table causeway.rate add column source text;
update causeway.rate set source = 'coingecko';
alter table causeway.rate alter column source set not null, add check (asset_id <> 'USD');
