-- Payments of one wallet that are ready together go out in one transaction (docs/adr/0094). Each has attempts of its own, with the same plan, hash and
-- bytes; the plan names all of them with what each pays of the fee.
alter table causeway.bitcoin_fee
  -- The signer has refused it together with others: it goes out by itself, so that one that cannot be signed keeps none of them waiting.
  add column goes_alone boolean not null default false,
  -- Of a payment that was joined with others: the fee of the whole transaction to which its initiator has raised it, satoshis.
  add column raised_to bigint check (raised_to > 0);
grant update (network_fee, raised_to) on causeway.bitcoin_fee to causeway_app;
grant update (network_fee, raised_to, goes_alone) on causeway.bitcoin_fee to causeway_worker;

-- A transaction is the attempt of one payment, or of each that it makes.
alter table causeway.chain_send drop constraint chain_send_chain_id_hash_key;
create unique index chain_send_hash on causeway.chain_send
  (chain_id, hash, coalesce(case when plan ? 'joined' then payment_id end, '00000000-0000-0000-0000-000000000000'));

-- Which entries of the signer's journal make a payment together with others.
create index signer_journal_joined on causeway.signer_journal using gin ((plan -> 'joined') jsonb_path_ops) where plan ? 'joined';
