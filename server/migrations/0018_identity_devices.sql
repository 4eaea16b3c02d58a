-- Which devices a member has signed in from, by their names and not by what the browser sends, which changes with every
-- version: sessions go when they have expired, and a device that comes back after a week is no new one.
create table causeway.seen_device (
  company_id uuid not null,
  user_id uuid not null,
  -- 'Chrome on Windows'
  device text not null,
  first_seen_at timestamptz not null default now(),
  primary key (company_id, user_id, device),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.seen_device');
drop policy operator_reads on causeway.seen_device;
grant select, insert on causeway.seen_device to causeway_app;

drop index causeway.session_history_of_member;
