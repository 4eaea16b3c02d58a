-- Every process compares the migrations that have run with its own files, for /readyz.
grant usage on schema causeway_migration to causeway_app, causeway_worker, causeway_signer, causeway_operator;
grant select on causeway_migration.done to causeway_app, causeway_worker, causeway_signer, causeway_operator;
