-- Standing orders (docs/adr/0085-…): an exchange made again and again. A member's code is bound to the order; each turn is a submission of that member.

create table causeway.standing_order (
  company_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  member_name text not null,
  sell_wallet_id uuid not null,
  buy_wallet_id uuid not null,
  rule text not null check (rule in ('amount', 'above')),
  -- Minor units of the sold asset: what is sold each time, fee included, or what stays in the wallet.
  amount numeric(78, 0) not null check (amount >= 0),
  every text not null check (every in ('day', 'week', 'month')),
  day smallint not null,
  at_time time not null,
  time_zone text not null,
  tolerance_bp integer not null check (tolerance_bp between 0 and 1000),
  last_day date,
  -- SHA-256 of the content that its code was bound to, and how that was proved.
  digest bytea not null check (length(digest) = 32),
  proof jsonb not null,
  created_at timestamptz not null default now(),
  -- When its next turn is due; null: it runs no more.
  next_at timestamptz,
  stopped_at timestamptz,
  stopped_by uuid,
  stop_reason text check (stop_reason in ('stopped', 'ended', 'memberLeft')),
  primary key (company_id, id),
  check (sell_wallet_id <> buy_wallet_id),
  check (rule = 'above' or amount > 0),
  check (case every when 'day' then day = 0 when 'week' then day between 1 and 7 else day between 1 and 31 end),
  check ((next_at is null) = (stopped_at is not null)),
  check (num_nulls(stopped_at, stop_reason) in (0, 2)),
  check (stopped_by is null or stop_reason = 'stopped'),
  foreign key (company_id, member_id) references causeway.member (company_id, id),
  foreign key (company_id, stopped_by) references causeway.member (company_id, id),
  foreign key (company_id, sell_wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, buy_wallet_id) references causeway.wallet (company_id, id)
);
call causeway.fence('causeway.standing_order');
create index standing_order_due on causeway.standing_order (next_at) where next_at is not null;

-- A turn is taken once: its row is written by the transaction that submits its exchange.
create table causeway.standing_order_turn (
  company_id uuid not null,
  order_id uuid not null,
  due_at timestamptz not null,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('submitted', 'nothing', 'refused')),
  exchange_id uuid,
  -- Why nothing was submitted: the key of an error, and the blanks of its sentence.
  error text,
  blanks jsonb not null default '{}',
  primary key (company_id, order_id, due_at),
  unique (company_id, exchange_id),
  check ((outcome = 'submitted') = (exchange_id is not null)),
  check ((outcome = 'refused') = (error is not null)),
  foreign key (company_id, order_id) references causeway.standing_order (company_id, id),
  foreign key (company_id, exchange_id) references causeway.exchange (company_id, transaction_id) deferrable initially deferred
);
call causeway.fence('causeway.standing_order_turn');
create trigger append_only before update or delete or truncate on causeway.standing_order_turn
  for each statement execute function causeway.refuse_change();

grant select, insert on causeway.standing_order, causeway.standing_order_turn to causeway_app;
grant update (next_at, stopped_at, stopped_by, stop_reason) on causeway.standing_order to causeway_app;
grant select on causeway.standing_order, causeway.standing_order_turn to causeway_worker, causeway_operator, causeway_console;

-- One that has stopped does not run again.
create function causeway.keep_stopped() returns trigger language plpgsql as $$
begin
  raise exception 'a standing order that has stopped does not run again' using errcode = 'CW001';
end $$;
create trigger stays_stopped before update on causeway.standing_order for each row when (old.stopped_at is not null)
  execute function causeway.keep_stopped();

-- The first turn after an instant, by the clock of a time zone: a time that the change to summer leaves out is the moment after it. A month
-- without the day has its turn on its last.
create function causeway.standing_next(p_every text, p_day smallint, p_time time, p_zone text, p_after timestamptz)
returns timestamptz language sql stable as $$
  select (d.day + p_time) at time zone p_zone
  from (
    select ((p_after at time zone p_zone)::date + n)::date as day from generate_series(-1, 32) n
  ) d
  where case p_every
      when 'day' then true
      when 'week' then extract(isodow from d.day) = p_day
      else extract(day from d.day) = least(p_day, extract(day from date_trunc('month', d.day) + interval '1 month - 1 day')) end
    and (d.day + p_time) at time zone p_zone > p_after
  order by d.day limit 1
$$;

-- Orders of all companies that are due, the longest first.
create policy due on causeway.standing_order for select to causeway_owner using (next_at is not null);
create function causeway.standing_orders_due(p_most integer) returns table (company_id uuid, id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select s.company_id, s.id from standing_order s where s.next_at <= clock_timestamp() order by s.next_at, s.id limit p_most
$$;
revoke execute on function causeway.standing_orders_due from public;
grant execute on function causeway.standing_orders_due to causeway_app;
