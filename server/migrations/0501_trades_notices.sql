-- Trades whose deadline is near are brought to mind, once for each deadline (docs/adr/0105-…).

alter table causeway.trade add column reminded_for timestamptz;
grant update (reminded_for) on causeway.trade to causeway_worker;
create index trade_due on causeway.trade (act_by) where act_by is not null;
-- The worker looks for them across companies.
create policy worker_reminds on causeway.trade for select to causeway_worker using (act_by is not null and reminded_for is distinct from act_by);
