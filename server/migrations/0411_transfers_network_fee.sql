-- Operators see of a transfer what its company sees.
grant select on causeway.bitcoin_fee to causeway_console;
