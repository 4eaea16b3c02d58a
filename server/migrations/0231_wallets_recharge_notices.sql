-- A company's word that it has paid into one of its wallets at a bank, with its proof. It moves no money: a payment is credited when the
-- bank has booked it, whether it was announced or not. Matched with that payment's transaction, it is done.
create table causeway.recharge_notice (
  company_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  -- Minor units, as the company says; what arrives may differ.
  amount numeric(78, 0) not null check (amount > 0),
  paid_at timestamptz not null,
  remark text not null default '' check (length(remark) <= 500),
  status text not null default 'waiting' check (status in ('waiting', 'matched', 'withdrawn')),
  -- When the money is expected by the bank's working days, counted from the payment.
  expected_from date not null,
  expected_by date not null check (expected_by >= expected_from),
  -- The end of that day where the bank is.
  late_after timestamptz not null,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  created_by_name text not null,
  ended_at timestamptz,
  -- Null where it was matched.
  ended_by uuid,
  ended_by_name text,
  transaction_id uuid,
  primary key (company_id, id),
  foreign key (company_id, wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id),
  unique (company_id, transaction_id),
  check ((status = 'waiting') = (ended_at is null)),
  check ((status = 'matched') = (transaction_id is not null)),
  check ((status = 'withdrawn') = (ended_by is not null))
);
call causeway.fence('causeway.recharge_notice');
create index recharge_notice_time on causeway.recharge_notice (company_id, created_at desc, id desc);
create index recharge_notice_waiting on causeway.recharge_notice (company_id, wallet_id) where status = 'waiting';
create index recharge_notice_late on causeway.recharge_notice (late_after) where status = 'waiting' and reminded_at is null;
grant select, insert, update (status, ended_at, ended_by, ended_by_name) on causeway.recharge_notice to causeway_app;
grant select, update (status, ended_at, transaction_id, reminded_at) on causeway.recharge_notice to causeway_worker;
grant select on causeway.recharge_notice to causeway_operator, causeway_console, causeway_look;

create table causeway.recharge_proof (
  company_id uuid not null,
  notice_id uuid not null,
  file_id uuid not null,
  position integer not null check (position between 0 and 4),
  primary key (company_id, notice_id, file_id),
  unique (company_id, notice_id, position),
  foreign key (company_id, notice_id) references causeway.recharge_notice (company_id, id),
  -- Keeps the file from the sweep of uploads that nothing names.
  foreign key (company_id, file_id) references causeway.file (company_id, id)
);
call causeway.fence('causeway.recharge_proof');
create index recharge_proof_file on causeway.recharge_proof (company_id, file_id);
grant select, insert on causeway.recharge_proof to causeway_app;
grant select on causeway.recharge_proof to causeway_worker, causeway_operator, causeway_console, causeway_look;

-- Companies with an announced payment that is later than expected and of which no one was reminded. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select (company_id, status, late_after, reminded_at) on causeway.recharge_notice to causeway_lookup;
create policy lookup on causeway.recharge_notice for select to causeway_lookup using (true);
create function causeway.companies_with_late_recharges(p_now timestamptz, p_most integer) returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct n.company_id from recharge_notice n
  where n.status = 'waiting' and n.reminded_at is null and n.late_after <= p_now
  order by n.company_id limit p_most
$$;
alter function causeway.companies_with_late_recharges owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.companies_with_late_recharges from public;
grant execute on function causeway.companies_with_late_recharges to causeway_worker;
