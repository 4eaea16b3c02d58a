-- Notices. A company's notice is one row for all its people: a kind and values, put into words in the reader's language
-- when read. An announcement is the operator's, for every company, in its own three texts. Who has read what stands
-- beside them. Ids are UUIDv7, so they order by time, and a person sees what came after they joined (their own id).

create table causeway.notice (
  company_id uuid not null,
  id uuid not null,
  kind text not null,
  -- What it is about; with the kind, it is said once.
  source_id uuid not null,
  "values" jsonb not null,
  link text,
  -- Its words in each language, lower case, for the keyword search.
  search jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, source_id, kind)
);
call causeway.fence('causeway.notice');
grant select, insert on causeway.notice to causeway_app, causeway_worker;
grant select on causeway.notice to causeway_operator;

-- Outside tenancy: {"en-us": {"title", "body"}, "zh-hk": …, "zh-cn": …}.
create table causeway.announcement (
  id uuid primary key,
  texts jsonb not null,
  created_at timestamptz not null default now()
);
grant select on causeway.announcement to causeway_app, causeway_worker, causeway_operator;
grant insert on causeway.announcement to causeway_operator;

create table causeway.notice_read (
  company_id uuid not null,
  user_id uuid not null,
  notice_id uuid not null,
  read_at timestamptz not null default now(),
  primary key (company_id, user_id, notice_id)
);
call causeway.fence('causeway.notice_read');
grant select, insert, delete on causeway.notice_read to causeway_app;
grant select on causeway.notice_read to causeway_operator;

-- "Mark all read": everything up to this id counts as read.
create table causeway.notice_reader (
  company_id uuid not null,
  user_id uuid not null,
  read_through uuid not null,
  primary key (company_id, user_id)
);
call causeway.fence('causeway.notice_reader');
grant select, insert, update on causeway.notice_reader to causeway_app;
grant select on causeway.notice_reader to causeway_operator;
