-- The operator's list is of all companies (docs/adr/0069-…).
create index trade_changed_anywhere on causeway.trade (updated_at desc);

-- An operator has a message sent now; the worker does it.
alter policy console_writes on causeway.outbox
  with check (company_id = '00000000-0000-0000-0000-000000000000'
    and name in ('operator.mail', 'operator.actConfirmed', 'operator.jobDecided', 'operator.resendTradeMessage', 'audit.checkpointDue'));

-- Whether workers have checked a trade platform lately, which they do where one is connected: what a look shows of it.
create function causeway.trade_platform_checked() returns boolean
language sql stable security definer set search_path = causeway, pg_temp as $$
  select exists (select from component_state where name = 'trade-platform' and checked_at > now() - interval '10 minutes')
$$;
revoke execute on function causeway.trade_platform_checked from public;
grant execute on function causeway.trade_platform_checked to causeway_console, causeway_look;
