-- Roles and departments of a company, its settings, and what a member is given by them.

-- Roles of the company's own. The four system roles belong to the program and stand in no table (contract/src/permission.ts).
create table causeway.role (
  company_id uuid not null references causeway.company (company_id),
  id uuid not null check (id not in (
    '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
    '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000004')),
  name text not null,
  permissions text[] not null,
  -- Approves what is worth less than this, in cents of a US dollar; null: unlimited.
  quota_usd_cents numeric(20, 0) check (quota_usd_cents > 0),
  active boolean not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index role_name on causeway.role (company_id, lower(name));
call causeway.fence('causeway.role');
grant select, insert, delete, update (name, permissions, quota_usd_cents, active) on causeway.role to causeway_app;
grant select on causeway.role to causeway_worker, causeway_operator;

create table causeway.department (
  company_id uuid not null references causeway.company (company_id),
  id uuid not null,
  name text not null,
  parent_id uuid check (parent_id <> id),
  -- Among its siblings, from 0.
  position integer not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references causeway.department (company_id, id)
);
create unique index department_name on causeway.department (company_id, parent_id, lower(name)) nulls not distinct;
call causeway.fence('causeway.department');
grant select, insert, delete, update (name, parent_id, position) on causeway.department to causeway_app;
grant select on causeway.department to causeway_worker, causeway_operator;

-- A company without a row has the defaults of the program.
create table causeway.company_setting (
  company_id uuid primary key references causeway.company (company_id),
  time_zone text not null,
  code_recipient text not null check (code_recipient in ('initiator', 'administrator')),
  updated_at timestamptz not null default now()
);
call causeway.fence('causeway.company_setting');
grant select, insert, update on causeway.company_setting to causeway_app;
grant select on causeway.company_setting to causeway_worker, causeway_operator;

-- A member's role by its id; rewriting the column reaches the rows of all companies, which an update would not.
alter table causeway.member drop constraint member_role_check;
alter table causeway.member alter column role type uuid using (case role
  when 'administrator' then '00000000-0000-7000-8000-000000000001'
  when 'finance' then '00000000-0000-7000-8000-000000000002'
  when 'approver' then '00000000-0000-7000-8000-000000000003'
  else '00000000-0000-7000-8000-000000000004' end)::uuid;
alter table causeway.member rename column role to role_id;

alter table causeway.member
  -- Null for a system role, so that the foreign key asks after the company's own alone.
  add column custom_role_id uuid generated always as (case
    when role_id in ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
      '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000004') then null
    else role_id end) stored,
  add column department_id uuid,
  -- E.164: digits of the country code, and of the national number.
  add column mobile_country_code text check (mobile_country_code ~ '^[1-9][0-9]{0,2}$'),
  add column mobile text check (mobile ~ '^[0-9]{1,14}$'),
  add column on_leave boolean not null default false,
  add column deputy_id uuid check (deputy_id <> id),
  -- Null while the member has been invited and has set no password. Who signed a company up has set one.
  add column activated_at timestamptz default now(),
  add column deleted_at timestamptz,
  add check ((mobile is null) = (mobile_country_code is null)),
  -- Whatever keeps disabled members out keeps deleted ones out.
  add check (deleted_at is null or disabled_at is not null),
  add foreign key (company_id, custom_role_id) references causeway.role (company_id, id),
  add foreign key (company_id, department_id) references causeway.department (company_id, id),
  add foreign key (company_id, deputy_id) references causeway.member (company_id, id);
create index member_of_role on causeway.member (company_id, role_id);
create index member_of_department on causeway.member (company_id, department_id) where department_id is not null;
grant update (department_id, mobile_country_code, mobile, on_leave, deputy_id, activated_at, deleted_at)
  on causeway.member to causeway_app;
