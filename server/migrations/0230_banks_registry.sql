-- What the file of banks (BANK_REGISTRY_FILE) says of each bank beside its names. The migration program writes it; no other process does.
alter table causeway.bank
  -- By the code of ISO 20022's external list, where the bank has a number in a national clearing.
  add column clearing_system text check (clearing_system ~ '^[A-Z]{5}$'),
  -- IANA: where its cut-off times are meant.
  add column time_zone text not null default 'UTC',
  -- Currencies whose working days count for every payment to it, beside those of the payment's own: the bank's home.
  add column calendars text[] not null default '{}',
  -- On as many lines as a letter would have.
  add column address text not null default '';

alter table causeway.bank_asset
  -- `HH:MM` of the bank's time zone: what comes at this time or later counts as of the next working day.
  add column cut_off text not null default '17:00' check (cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- Working days until money that was sent is there.
  add column days_least integer not null default 1 check (days_least >= 0),
  add column days_most integer not null default 3 check (days_most between 0 and 30),
  -- Minor units; null: the currency's own. The operator's price comes before it.
  add column recharge_minimum numeric(78, 0) check (recharge_minimum > 0),
  -- The installation's own account, to which what companies' accounts receive is booked.
  add column collecting_account text check (collecting_account ~ '^[A-Z0-9]{4,34}$'),
  add check (days_most >= days_least);

-- The numbers that a bank has set aside for companies' accounts below the collecting ones: prefix, number, check digit (Luhn). The counter
-- only ever rises, so that no number is given twice.
create table causeway.bank_account_range (
  bank_id text primary key references causeway.bank (id),
  prefix text not null check (prefix ~ '^[0-9]{1,20}$'),
  digits integer not null check (digits between 4 and 12),
  next_number bigint not null check (next_number >= 0),
  -- The file still has it.
  open boolean not null default true
);
grant select on causeway.bank_account_range to causeway_worker, causeway_operator, causeway_console;
grant update (next_number) on causeway.bank_account_range to causeway_worker;

-- ISO 11649: RF, two check digits (ISO 7064 mod 97-10), then the token in capitals and digits.
create function causeway.creditor_reference(p_token text) returns text language sql immutable strict as $$
  select 'RF' || lpad((98 - string_agg(case when c ~ '[A-Z]' then (ascii(c) - 55)::text else c end, '' order by n)::numeric % 97)::text, 2, '0') || p_token
  from unnest(string_to_array(p_token || 'RF00', null)) with ordinality as t (c, n)
$$;

-- What a payer writes for the company's money to be recognised: 18 characters with a number of 14, as many as every way carries.
alter table causeway.bank_account
  add column reference text not null generated always as (causeway.creditor_reference(right(account_number, 14))) stored,
  add unique (bank_id, asset_id, reference);

-- Where companies get an account: the currency, its bank and the bank's range are on, and the range is not used up.
create view causeway.bank_asset_open with (security_invoker = true) as
  select ba.bank_id, ba.asset_id from causeway.bank_asset ba
  join causeway.bank b on b.id = ba.bank_id join causeway.bank_account_range r on r.bank_id = ba.bank_id
  where ba.enabled and b.enabled and r.open and r.next_number < 10::numeric ^ r.digits;
grant select on causeway.bank_asset_open to causeway_worker;
