-- Templates of batches (docs/adr/0098-…): a template is a batch that is never submitted, so that its rows are read and edited as those of any. A
-- schedule makes a batch from it at each turn, which a member then submits with a code.

alter table causeway.payout_batch
  add column is_template boolean not null default false,
  add column note text not null default '' check (length(note) <= 500),
  -- The template that it was made from, and the day that a schedule made it for.
  add column template_id uuid,
  add column pay_day date,
  add constraint payout_batch_template check (not is_template or (source = 'template' and num_nonnulls(file_id, template_id, pay_day) = 0)),
  add constraint payout_batch_pay_day check (pay_day is null or template_id is not null),
  add foreign key (company_id, template_id) references causeway.payout_batch (company_id, id);
create index payout_batch_templates on causeway.payout_batch (company_id, id) where is_template;
create index payout_batch_of_template on causeway.payout_batch (company_id, template_id) where template_id is not null;
grant update (note) on causeway.payout_batch to causeway_app;

create function causeway.refuse_template_run() returns trigger language plpgsql as $$
begin
  if exists (select from causeway.payout_batch b where b.company_id = new.company_id and b.id = new.batch_id and b.is_template) then
    raise exception 'a template is not submitted' using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger not_of_template before insert on causeway.payout_batch_run for each row execute function causeway.refuse_template_run();

create table causeway.payout_schedule (
  company_id uuid not null,
  template_id uuid not null,
  every text not null check (every in ('week', 'month')),
  day smallint not null,
  weekend text not null check (weekend in ('stay', 'before', 'after')),
  at_time time not null,
  time_zone text not null,
  prepare_days smallint not null check (prepare_days between 0 and 10),
  first_day date not null,
  last_day date check (last_day >= first_day),
  -- Who submits what it makes.
  initiator_id uuid not null,
  -- The next day on which is paid, and when its batch is made; null: it is paused or has ended.
  next_pay_day date,
  next_at timestamptz,
  ended_at timestamptz,
  primary key (company_id, template_id),
  check (case every when 'week' then day between 1 and 7 else day between 1 and 31 end),
  check ((next_pay_day is null) = (next_at is null)),
  check (ended_at is null or next_at is null),
  foreign key (company_id, template_id) references causeway.payout_batch (company_id, id),
  foreign key (company_id, initiator_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.payout_schedule');
create index payout_schedule_due on causeway.payout_schedule (next_at) where next_at is not null;

-- A turn is taken once: its row is written by the transaction that makes its batch, also where the schedule was changed meanwhile.
create table causeway.payout_turn (
  company_id uuid not null,
  template_id uuid not null,
  pay_day date not null,
  due_at timestamptz not null,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('made', 'refused')),
  batch_id uuid,
  -- Why none was made: the key of an error.
  error text,
  primary key (company_id, template_id, pay_day),
  unique (company_id, batch_id),
  check ((outcome = 'made') = (batch_id is not null)),
  check ((outcome = 'refused') = (error is not null)),
  foreign key (company_id, template_id) references causeway.payout_batch (company_id, id),
  foreign key (company_id, batch_id) references causeway.payout_batch (company_id, id)
);
call causeway.fence('causeway.payout_turn');
create trigger append_only before update or delete or truncate on causeway.payout_turn
  for each statement execute function causeway.refuse_change();

grant select, insert on causeway.payout_schedule, causeway.payout_turn to causeway_app;
grant update (every, day, weekend, at_time, time_zone, prepare_days, first_day, last_day, initiator_id, next_pay_day, next_at, ended_at)
  on causeway.payout_schedule to causeway_app;
grant select on causeway.payout_schedule, causeway.payout_turn to causeway_worker, causeway_operator, causeway_console;

-- Schedules of all companies that are due, the longest first.
create policy due on causeway.payout_schedule for select to causeway_owner using (next_at is not null);
create function causeway.payout_schedules_due(p_now timestamptz, p_most integer) returns table (company_id uuid, template_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select s.company_id, s.template_id from payout_schedule s where s.next_at <= p_now order by s.next_at, s.template_id limit p_most
$$;
revoke execute on function causeway.payout_schedules_due from public;
grant execute on function causeway.payout_schedules_due to causeway_app;
