-- Whether a company has paid a seller is asked before a job is queued for it, and so outside of any company: without this the worker saw none, and followed no
-- payment to a seller to its end (docs/adr/0107-…).
create policy worker_reads on causeway.trade_release for select to causeway_worker using (true);
