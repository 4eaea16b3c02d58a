-- Notices for some people alone, taken away by whoever no longer wants to see them, and mailed as each person chooses.

alter table causeway.notice
  -- Members who see it, sorted; null: the whole company.
  add column recipients uuid[],
  -- What a mail about it adds, line by line: [{"label": id of a text, "value"}].
  add column facts jsonb not null default '[]',
  drop constraint notice_company_id_source_id_kind_key,
  -- SHA-256 of the recipients, empty for the whole company: an index has no room for hundreds of them.
  add column recipients_key bytea not null default '',
  add constraint notice_once unique (company_id, source_id, kind, recipients_key);

create table causeway.notice_hidden (
  company_id uuid not null,
  user_id uuid not null,
  notice_id uuid not null,
  hidden_at timestamptz not null default now(),
  primary key (company_id, user_id, notice_id)
);
call causeway.fence('causeway.notice_hidden');
grant select, insert on causeway.notice_hidden to causeway_app;
grant select on causeway.notice_hidden to causeway_operator;

-- What was chosen; a group that has no row is mailed.
create table causeway.notice_preference (
  company_id uuid not null,
  user_id uuid not null,
  notice_group text not null,
  mail boolean not null,
  primary key (company_id, user_id, notice_group)
);
call causeway.fence('causeway.notice_preference');
grant select, insert, update on causeway.notice_preference to causeway_app;
grant select on causeway.notice_preference to causeway_worker, causeway_operator;

-- Mails that are out: a job that runs again sends none twice.
create table causeway.notice_mail (
  company_id uuid not null,
  notice_id uuid not null,
  user_id uuid not null,
  sent_at timestamptz not null default now(),
  primary key (company_id, notice_id, user_id)
);
call causeway.fence('causeway.notice_mail');
grant select, insert on causeway.notice_mail to causeway_worker;
grant select on causeway.notice_mail to causeway_operator;
