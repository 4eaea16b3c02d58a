-- Payments that were signed and never reached a block, whose transfers a restored database has lost: the operator's decision
-- to offer their bytes to the nodes again. The signer gives the same bytes; what they paid is then booked.
create table causeway.journal_resend (
  company_id uuid not null,
  payment_id uuid not null,
  reason text not null,
  decided_by text not null,
  decided_at timestamptz not null default now(),
  primary key (company_id, payment_id)
);
call causeway.fence('causeway.journal_resend');
create policy watcher on causeway.journal_resend to causeway_worker using (true) with check (true);
grant select on causeway.journal_resend to causeway_worker;
grant select, insert on causeway.journal_resend to causeway_operator;
