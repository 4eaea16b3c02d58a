-- What left an address on a chain whose transactions have no gas and no fees per gas (docs/adr/0054).
alter table causeway.unexplained_payment
  alter column gas_limit drop not null,
  alter column max_fee_per_gas drop not null,
  alter column max_priority_fee_per_gas drop not null;
