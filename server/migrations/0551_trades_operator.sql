-- The operator's list is of all companies (docs/adr/0069-…).
create index trade_changed_anywhere on causeway.trade (updated_at desc);

-- An operator has a message sent now; the worker does it.
alter policy console_writes on causeway.outbox
  with check (company_id = '00000000-0000-0000-0000-000000000000'
    and name in ('operator.mail', 'operator.actConfirmed', 'operator.jobDecided', 'operator.resendTradeMessage', 'audit.checkpointDue'));
