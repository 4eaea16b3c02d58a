-- Whether a second person must approve a payee before anything can be sent to it (docs/adr/0064-…).
alter table causeway.company_setting
  add column approve_new_payees boolean not null default false;
