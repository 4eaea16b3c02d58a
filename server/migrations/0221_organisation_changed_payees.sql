-- For how many days the changed bank account of a payee is marked wherever it is paid. Fewer days widen.
alter table causeway.company_setting
  add column changed_payee_days integer not null default 7 check (changed_payee_days between 1 and 90);
