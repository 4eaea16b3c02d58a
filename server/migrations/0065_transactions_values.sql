-- What a transaction of any type can carry beside its amount: what it was exchanged for, at which rate and quote, when its value
-- counts, and what it was worth in the company's base currency when it was written.
alter table causeway.transaction
  add column counter_asset text references causeway.asset (id),
  -- Minor units of the counter-asset.
  add column counter_quantity causeway.positive_amount,
  -- Whole units of the counter-asset for one whole unit of the asset.
  add column rate numeric check (rate > 0),
  add column rate_source text,
  add column rate_at timestamptz,
  add column quote_id uuid,
  add column value_date date,
  add column base_currency text references causeway.asset (id),
  -- Minor units of the base currency.
  add column base_value causeway.amount,
  add constraint transaction_counter check ((counter_asset is null) = (counter_quantity is null)),
  add constraint transaction_rate check ((rate is null) = (rate_source is null) and (rate is null) = (rate_at is null)),
  add constraint transaction_base check ((base_currency is null) = (base_value is null));
