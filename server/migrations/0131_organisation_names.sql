-- What deleted departments and roles were called: policies, rules and their history still name them. Members keep their rows.
create table causeway.organisation_former (
  company_id uuid not null references causeway.company (company_id),
  id uuid not null,
  name text not null,
  deleted_at timestamptz not null default now(),
  primary key (company_id, id)
);
call causeway.fence('causeway.organisation_former');
grant select, insert on causeway.organisation_former to causeway_app;
grant select on causeway.organisation_former to causeway_worker, causeway_operator;
create trigger append_only before update or delete or truncate on causeway.organisation_former
  for each statement execute function causeway.refuse_change();

-- A batch of submissions reads which departments a member belongs to; 0093 and 0095 admit batches to members and departments.
grant select (parent_id) on causeway.department to causeway_batch;
