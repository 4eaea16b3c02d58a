-- Label and remark of a payee can be changed; another address is another payee.
grant update (label, remark) on causeway.crypto_payee to causeway_app;
