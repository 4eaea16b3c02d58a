-- What was found at a payee's address when it was last looked at: a person is warned of contracts. unknown: no node answered.
create domain causeway.address_code as text check (value in ('none', 'token', 'contract', 'unknown'));
alter table causeway.crypto_payee add column code causeway.address_code not null default 'unknown';
grant update (code) on causeway.crypto_payee to causeway_app;
