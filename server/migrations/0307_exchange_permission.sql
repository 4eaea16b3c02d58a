-- The permission to make transfers was named "transfers and exchanges" until now: roles of companies that have it keep both.
alter table causeway.role no force row level security;
update causeway.role set permissions = permissions || '{exchange.create}'
where 'transfer.create' = any (permissions) and not 'exchange.create' = any (permissions);
alter table causeway.role force row level security;
