-- A leg that the signer's journal names is not due, also where a restored database has lost its settlement: no other payment of it is signed.
create index signer_journal_leg on causeway.signer_journal using gin (legs) where legs is not null;
create index exchange_sold on causeway.exchange (company_id, sell_wallet_id) where executed_at is not null;
create index exchange_bought on causeway.exchange (company_id, buy_wallet_id) where executed_at is not null;
