-- The permission to make transfers was named "transfers and exchanges" until now: roles of companies that have it keep both.
update causeway.role set permissions = permissions || '{exchange.create}'
where 'transfer.create' = any (permissions) and not 'exchange.create' = any (permissions);
