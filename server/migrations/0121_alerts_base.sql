-- What members chose to be alerted of; without a row, nothing is chosen. The balances below which wallets alert are kept with
-- their accounts (0120).
create table causeway.alert_choice (
  company_id uuid not null,
  user_id uuid not null,
  low_balance boolean not null default false,
  large_incoming boolean not null default false,
  -- US cents.
  large_incoming_from numeric(78, 0) not null default 1000000 check (large_incoming_from > 0),
  new_payee boolean not null default false,
  daily_digest boolean not null default false,
  -- Of the company's time zone.
  digest_hour integer not null default 9 check (digest_hour between 0 and 23),
  digest_always boolean not null default false,
  -- What came later has not been in a digest yet.
  digest_through timestamptz not null default now(),
  -- An hour that struck up to then is over: a digest was sent for it, or the hour was chosen later.
  digest_settled timestamptz not null default now(),
  primary key (company_id, user_id)
);
call causeway.fence('causeway.alert_choice');
grant select, insert, update on causeway.alert_choice to causeway_app;
grant select, update on causeway.alert_choice to causeway_worker;

-- When the hour last struck on a clock of the time zone. An hour that a clock change leaves out strikes at the end of the gap, one that comes
-- twice strikes the second time.
create function causeway.alert_hour_struck(p_hour integer, p_zone text, p_now timestamptz) returns timestamptz
language sql stable parallel safe
return (
  select max(struck.at) from (
    select ((p_now at time zone p_zone)::date - ago + make_interval(hours => p_hour)) at time zone p_zone as at
    from unnest(array[0, 1]) as days (ago)
  ) struck where struck.at <= p_now
);

-- Companies with a digest that is due, in the order of their ids. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select on causeway.alert_choice to causeway_lookup;
create policy lookup on causeway.alert_choice for select to causeway_lookup using (true);
grant select (company_id, time_zone) on causeway.company_setting to causeway_lookup;
create policy lookup on causeway.company_setting for select to causeway_lookup using (true);
create function causeway.alerts_digests_due(p_now timestamptz, p_zone text, p_after uuid, p_most integer)
returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct c.company_id from alert_choice c left join company_setting s on s.company_id = c.company_id
  where c.daily_digest and (p_after is null or c.company_id > p_after)
    and alert_hour_struck(c.digest_hour, coalesce(s.time_zone, p_zone), p_now) > c.digest_settled
  order by c.company_id limit p_most;
$$;
alter function causeway.alerts_digests_due owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.alerts_digests_due from public;
grant execute on function causeway.alerts_digests_due to causeway_worker;
