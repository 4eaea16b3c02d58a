-- Exporting has permissions of its own. A company's own role that could export keeps what it could do; whoever manages roles can
-- take it away. Rewriting the column reaches the rows of all companies, which an update would not.
alter table causeway.role alter column permissions type text[] using permissions
  || case when 'transaction.view' = any (permissions) then array['transaction.export'] else '{}'::text[] end
  || case when 'list.view' = any (permissions) then array['list.export'] else '{}'::text[] end;
