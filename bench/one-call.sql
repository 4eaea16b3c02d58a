-- The baseline: the least that can be called a ledger transaction, as one function call. Two balances, the transfer, two
-- entries; no tenancy, no checks, no foreign keys, no idempotency. Locks are taken in the order of ids.
create schema one_call;
create table one_call.account (id bigint primary key, balance numeric not null) with (fillfactor = 70);
create table one_call.transfer (
  id bigint generated always as identity primary key,
  from_id bigint not null,
  to_id bigint not null,
  amount numeric not null,
  at timestamptz not null default now()
);
create table one_call.entry (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  transfer_id bigint not null,
  amount numeric not null,
  balance_after numeric not null
);

create function one_call.post(p_from bigint, p_to bigint, p_amount numeric) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_from numeric;
  v_to numeric;
begin
  if p_from < p_to then
    update one_call.account set balance = balance - p_amount where id = p_from returning balance into v_from;
    update one_call.account set balance = balance + p_amount where id = p_to returning balance into v_to;
  else
    update one_call.account set balance = balance + p_amount where id = p_to returning balance into v_to;
    update one_call.account set balance = balance - p_amount where id = p_from returning balance into v_from;
  end if;
  insert into one_call.transfer (from_id, to_id, amount) values (p_from, p_to, p_amount) returning id into v_id;
  insert into one_call.entry (account_id, transfer_id, amount, balance_after)
  values (p_from, v_id, -p_amount, v_from), (p_to, v_id, p_amount, v_to);
  return v_id;
end $$;
