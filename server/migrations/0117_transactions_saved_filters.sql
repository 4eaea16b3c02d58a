-- Filters of the list of transactions that a member has saved under a name, for themselves alone.
create table causeway.transaction_saved_filter (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 40),
  -- As the address of the list has them: names and texts.
  filters jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
call causeway.fence('causeway.transaction_saved_filter');
create unique index transaction_saved_filter_name on causeway.transaction_saved_filter (company_id, user_id, lower(name));
grant select, insert, delete on causeway.transaction_saved_filter to causeway_app;
