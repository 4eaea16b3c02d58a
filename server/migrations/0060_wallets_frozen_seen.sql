-- The worker counts frozen wallets over all companies, for /readyz and its gauges; outside a company's transaction alone.
create policy frozen_seen on causeway.wallet for select to causeway_worker
  using (frozen_at is not null and causeway.company_id() is null);
