-- What a submission writes, with fewer questions on the way: PostgreSQL parses every CHECK of a table anew for each statement
-- that writes it, and looks at a domain when a value comes in (as 0013 found for the ledger). The rules are the same.

create domain causeway.amount as numeric(78, 0) check (value >= 0);
create domain causeway.positive_amount as numeric(78, 0) check (value > 0);
create domain causeway.transaction_type as text check (value in ('chain_deposit', 'chain_withdraw', 'crypto_payout',
  'failed_refund', 'crypto_exchange_out', 'crypto_exchange_in', 'fiat_deposit', 'fiat_payout'));
create domain causeway.transaction_status as text check (value in ('completed', 'pending', 'failed'));
create domain causeway.transaction_direction as text check (value in ('in', 'out'));

-- A policy holds on to the columns that it names.
drop policy lookup_unsent on causeway.transaction;
alter table causeway.transaction
  drop constraint transaction_type_check,
  drop constraint transaction_status_check,
  drop constraint transaction_direction_check,
  drop constraint transaction_quantity_check,
  drop constraint transaction_fee_check,
  drop constraint transaction_value_usd_cents_check,
  alter column type type causeway.transaction_type,
  alter column status type causeway.transaction_status,
  alter column direction type causeway.transaction_direction,
  alter column quantity type causeway.positive_amount,
  alter column fee type causeway.amount,
  alter column value_usd_cents type causeway.amount;
create policy lookup_unsent on causeway.transaction for select to causeway_lookup
  using (type = 'chain_withdraw' and status = 'pending');

create domain causeway.actor_kind as text check (value in ('user', 'operator', 'system'));
alter table causeway.audit_event
  drop constraint audit_event_actor_kind_check,
  alter column actor_kind type causeway.actor_kind;
