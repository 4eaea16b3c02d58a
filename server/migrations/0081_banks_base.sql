-- Banks, the currencies at each, and the companies' accounts there. No process writes banks or currencies yet: adding a bank is an
-- operator's act.

create table causeway.bank (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{0,31}$'),
  name text not null,
  -- Its Chinese names, where it has them.
  name_zh_hk text,
  name_zh_cn text,
  -- ISO 3166-1.
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- ISO 9362.
  bic text not null check (bic ~ '^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  -- Its number in the country's clearing: Hong Kong's bank code, the United States' routing number. Null where there is none.
  clearing_code text check (clearing_code ~ '^[A-Z0-9]{3,12}$'),
  enabled boolean not null default true
);

create table causeway.bank_asset (
  bank_id text not null references causeway.bank (id),
  asset_id text not null,
  asset_kind text not null generated always as ('currency') stored,
  -- account_recharge_fee, minor units: taken from what arrives.
  recharge_fee numeric(78, 0) not null default 0 check (recharge_fee >= 0),
  enabled boolean not null default true,
  primary key (bank_id, asset_id),
  foreign key (asset_id, asset_kind) references causeway.asset (id, kind)
);
grant select on causeway.bank, causeway.bank_asset to causeway_app, causeway_worker, causeway_operator;

-- The company's own account in one currency at one bank, as a payer has to write it.
create table causeway.bank_account (
  company_id uuid not null,
  bank_id text not null,
  asset_id text not null,
  holder_name text not null check (holder_name <> ''),
  account_number text not null check (account_number ~ '^[A-Z0-9]{4,34}$'),
  branch_code text check (branch_code ~ '^[A-Z0-9]{1,12}$'),
  -- ISO 13616, without spaces.
  iban text check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  created_at timestamptz not null default now(),
  primary key (company_id, bank_id, asset_id),
  -- What arrives for an account number belongs to one company.
  unique (bank_id, asset_id, account_number),
  foreign key (bank_id, asset_id) references causeway.bank_asset (bank_id, asset_id)
);
call causeway.fence('causeway.bank_account');
grant select on causeway.bank_account to causeway_app, causeway_worker, causeway_operator;
grant insert on causeway.bank_account to causeway_worker;
