-- The relay takes rows with SELECT … FOR UPDATE SKIP LOCKED, which asks for the right to update, although it never does.
grant update (created_at) on causeway.outbox to causeway_worker;
