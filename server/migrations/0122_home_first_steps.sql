-- Members who do not want to see the first steps on their home page any more.
create table causeway.home_dismissal (
  company_id uuid not null,
  user_id uuid not null,
  dismissed_at timestamptz not null default now(),
  primary key (company_id, user_id)
);
call causeway.fence('causeway.home_dismissal');
grant select, insert, delete on causeway.home_dismissal to causeway_app;
