-- Announcements that operators write, plan and send. The worker publishes each at its time, once; what a company then sees is a row of `announcement`.
create table causeway.operator_announcement (
  id uuid primary key,
  texts jsonb not null,
  -- `company`: one; `asset`: those who hold some of it when it is sent.
  audience text not null check (audience in ('all', 'company', 'asset')),
  to_company uuid references causeway.company (company_id),
  to_asset text references causeway.asset (id),
  send_at timestamptz not null,
  state text not null default 'planned' check (state in ('planned', 'sent', 'cancelled')),
  written_by uuid references causeway.operator_account (id),
  -- Of the command line.
  set_by text,
  created_at timestamptz not null default now(),
  -- Rises with each edit.
  version integer not null default 1,
  cancelled_by uuid references causeway.operator_account (id),
  cancelled_at timestamptz,
  sent_at timestamptz,
  -- The announcement that companies see; null where an audience of an asset was empty.
  announcement_id uuid unique,
  check ((audience = 'company') = (to_company is not null)),
  check ((audience = 'asset') = (to_asset is not null)),
  check ((state = 'sent') = (sent_at is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((written_by is null) <> (set_by is null))
);
create index operator_announcement_due on causeway.operator_announcement (send_at) where state = 'planned';
create index operator_announcement_time on causeway.operator_announcement (send_at desc, id desc);
grant select, insert (id, texts, audience, to_company, to_asset, send_at, written_by),
  update (texts, audience, to_company, to_asset, send_at, version, state, cancelled_by, cancelled_at)
  on causeway.operator_announcement to causeway_console;
grant select, insert on causeway.operator_announcement to causeway_operator;
grant select, update (state, sent_at, announcement_id) on causeway.operator_announcement to causeway_worker;

create function causeway.settle_announcement() returns trigger language plpgsql as $$
begin
  if old.state <> 'planned' then
    raise exception 'an announcement is sent or cancelled once' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger settled_once before update on causeway.operator_announcement
  for each row execute function causeway.settle_announcement();
-- Nothing is sent by the process that writes it.
create function causeway.send_by_worker() returns trigger language plpgsql as $$
begin
  raise exception 'the worker sends announcements' using errcode = 'CW001';
end $$;
create trigger sent_by_worker before update on causeway.operator_announcement
  for each row when (new.state = 'sent' and current_user = 'causeway_console') execute function causeway.send_by_worker();

-- To whom an announcement goes that is not for every company; a company learns of its own row alone.
alter table causeway.announcement add column addressed boolean not null default false;
create table causeway.announcement_company (
  company_id uuid not null,
  announcement_id uuid not null references causeway.announcement (id),
  primary key (company_id, announcement_id)
);
call causeway.fence('causeway.announcement_company');
create policy worker_addresses on causeway.announcement_company for insert to causeway_worker with check (true);
grant select on causeway.announcement_company to causeway_app, causeway_operator, causeway_console;
grant select, insert on causeway.announcement_company to causeway_worker;
grant insert on causeway.announcement to causeway_worker;

alter table causeway.announcement enable row level security;
create policy company_reads on causeway.announcement for select to causeway_app, causeway_worker using (
  not addressed or exists (
    select from causeway.announcement_company c
    where c.company_id = (select causeway.company_id()) and c.announcement_id = announcement.id));
create policy operator_reads on causeway.announcement for select to causeway_operator, causeway_console using (true);
create policy publishes on causeway.announcement for insert to causeway_operator, causeway_worker with check (true);
create policy lookup on causeway.announcement for select to causeway_lookup using (true);
create policy lookup on causeway.announcement_company for select to causeway_lookup using (true);
grant select (id, addressed) on causeway.announcement to causeway_lookup;
grant select on causeway.announcement_company to causeway_lookup;

grant usage, create on schema causeway to causeway_lookup;
create or replace function causeway.notices_unmailed(p_announcement uuid, p_after uuid, p_most integer) returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select c.company_id from company c
  where (p_after is null or c.company_id > p_after) and not exists (
    select from announcement_mailing m where m.company_id = c.company_id and m.announcement_id = p_announcement)
  and (
    not (select a.addressed from announcement a where a.id = p_announcement)
    or exists (select from announcement_company t where t.company_id = c.company_id and t.announcement_id = p_announcement))
  order by c.company_id limit p_most;
$$;
-- Companies that hold some of an asset, in a wallet or on its way out. Answers ids alone.
grant select (company_id, asset_id, kind, balance) on causeway.ledger_account to causeway_lookup;
create function causeway.holders_of(p_asset text) returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct l.company_id from ledger_account l
  where l.asset_id = p_asset and l.kind in ('available', 'outbound') and l.balance > 0;
$$;
alter function causeway.holders_of owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.holders_of from public;
grant execute on function causeway.holders_of to causeway_worker;

-- Those that were published before.
insert into causeway.operator_announcement (id, texts, audience, send_at, state, set_by, created_at, sent_at, announcement_id)
select a.id, a.texts, 'all', a.created_at, 'sent', 'command line', a.created_at, a.created_at, a.id from causeway.announcement a;
