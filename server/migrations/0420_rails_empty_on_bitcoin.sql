-- An empty transaction takes the place of a payment on every chain whose transactions can exclude each other: by nonce, or by an input that both
-- spend (docs/adr/0078-an-empty-transaction-takes-a-payment-s-nonce.md). A new name, since the check is another.
alter table causeway.chain_send
  drop constraint chain_send_empty,
  add constraint chain_send_empty_transfer check (not is_empty or kind = 'transfer');
