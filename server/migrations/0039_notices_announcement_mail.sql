-- Announcements are mailed too, to those who have not chosen otherwise: company by company, each once.
create table causeway.announcement_mailing (
  company_id uuid not null,
  announcement_id uuid not null,
  -- When the mails of its members fell due.
  due_at timestamptz not null default now(),
  primary key (company_id, announcement_id)
);
call causeway.fence('causeway.announcement_mailing');
grant select, insert on causeway.announcement_mailing to causeway_worker;
grant select on causeway.announcement_mailing to causeway_operator;

-- Companies to whose members an announcement has not been mailed yet, in the order of their ids. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select (company_id) on causeway.company to causeway_lookup;
create policy lookup on causeway.company for select to causeway_lookup using (true);
grant select (company_id, announcement_id) on causeway.announcement_mailing to causeway_lookup;
create policy lookup on causeway.announcement_mailing for select to causeway_lookup using (true);
create function causeway.notices_unmailed(p_announcement uuid, p_after uuid, p_most integer) returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select c.company_id from company c
  where (p_after is null or c.company_id > p_after) and not exists (
    select from announcement_mailing m where m.company_id = c.company_id and m.announcement_id = p_announcement)
  order by c.company_id limit p_most;
$$;
alter function causeway.notices_unmailed owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.notices_unmailed from public;
grant execute on function causeway.notices_unmailed to causeway_worker;
