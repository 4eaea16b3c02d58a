-- What a batch of transfers reads and writes beside codes, risk, approvals and the ledger (0091).
grant select on causeway.asset, causeway.chain, causeway.chain_asset, causeway.rate to causeway_batch;
call causeway.admit_batches('causeway.company', 'select');
call causeway.admit_batches('causeway.wallet', 'select');
call causeway.admit_batches('causeway.chain_address', 'select');
call causeway.admit_batches('causeway.chain_further_address', 'select');
call causeway.admit_batches('causeway.crypto_payee', 'select');
call causeway.admit_batches('causeway.transaction', 'select');
call causeway.admit_batches('causeway.transaction', 'insert');
call causeway.admit_batches('causeway.transaction_stage', 'insert');
call causeway.admit_batches('causeway.outgoing_attachment', 'insert');
call causeway.admit_batches('causeway.outgoing_authorisation', 'insert');
grant select on causeway.chain_own_address to causeway_batch;
