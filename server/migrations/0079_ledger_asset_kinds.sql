-- An asset is a coin or a currency (docs/adr/0061). A coin's id is its symbol, a currency's its ISO 4217 code; the decimals of a
-- currency are ISO 4217's minor units. The currencies are those of contract/src/currencies.ts.
create domain causeway.asset_kind as text check (value in ('coin', 'currency'));
alter table causeway.asset add column kind causeway.asset_kind;
update causeway.asset set kind = case when id in ('USD', 'HKD') then 'currency' else 'coin' end;
alter table causeway.asset alter column kind set not null,
  -- What a place may hold names both: a chain holds coins, a bank currencies.
  add unique (id, kind);
insert into causeway.asset (id, kind, decimals, minimum) values
  ('AUD', 'currency', 2, 100), ('CAD', 'currency', 2, 100), ('CNY', 'currency', 2, 100), ('EUR', 'currency', 2, 100),
  ('GBP', 'currency', 2, 100), ('JPY', 'currency', 0, 1), ('NZD', 'currency', 2, 100), ('SGD', 'currency', 2, 100);
