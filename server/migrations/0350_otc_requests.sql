-- Requests for quote to the operator's desk (docs/adr/0084-…): a company asks, the desk answers with a price of its own that holds for minutes or hours,
-- and accepting it is an exchange at that quote. A request moves nothing.

create table causeway.otc_request (
  company_id uuid not null,
  -- Unique over all companies: the desk names a request by it alone.
  id uuid not null unique,
  -- Chosen by the client: a repeated submit is no second request.
  key uuid not null,
  member_id uuid not null,
  member_name text not null,
  sell_wallet_id uuid not null,
  buy_wallet_id uuid not null,
  sell_asset text not null references causeway.asset (id),
  buy_asset text not null references causeway.asset (id),
  -- One side has a fixed amount, minor units: all that leaves the sold wallet, fee included, or what arrives in the bought one.
  fixed text not null check (fixed in ('sell', 'buy')),
  amount numeric(78, 0) not null check (amount > 0),
  -- What it was worth when it was asked, in US cents.
  usd_cents numeric(78, 0) not null check (usd_cents >= 0),
  -- Until when an answer is useful.
  deadline timestamptz not null,
  -- `asked`: the desk's turn. `quoted`: the company's.
  state text not null default 'asked' check (state in ('asked', 'quoted', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  -- The number of its messages, each of which is one step.
  version integer not null default 1,
  -- The quote that can be accepted, or was.
  quote_id uuid,
  transaction_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  -- Since when its state is what it is.
  state_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique (company_id, key),
  check (sell_asset <> buy_asset),
  check ((state in ('quoted', 'accepted')) = (quote_id is not null)),
  check ((state = 'accepted') = (transaction_id is not null)),
  foreign key (company_id, sell_wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, buy_wallet_id) references causeway.wallet (company_id, id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id) deferrable initially deferred
);
call causeway.fence('causeway.otc_request');
create index otc_request_time on causeway.otc_request (company_id, created_at desc, id desc);
create index otc_request_desk on causeway.otc_request (created_at desc, id desc);
create index otc_request_open on causeway.otc_request (deadline) where state in ('asked', 'quoted');
create unique index otc_request_transaction on causeway.otc_request (company_id, transaction_id) where transaction_id is not null;
create policy worker on causeway.otc_request to causeway_worker using (true) with check (true);
create policy desk on causeway.otc_request for select to causeway_owner using (true);

create table causeway.otc_message (
  company_id uuid not null,
  request_id uuid not null,
  -- The request's version that it made.
  seq integer not null check (seq > 0),
  side text not null check (side in ('company', 'desk', 'system')),
  -- The member or the operator; null: the system.
  author_id uuid,
  author_name text not null default '',
  kind text not null check (kind in ('asked', 'note', 'quoted', 'countered', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  text text not null default '',
  -- Of a quote, and the rate that a counter asks for: whole units bought for one sold.
  rate numeric check (rate > 0),
  sold numeric(78, 0),
  fee numeric(78, 0),
  bought numeric(78, 0),
  valid_until timestamptz,
  -- What a counter asks for in place of a rate: of the side that is not fixed, minor units.
  wanted numeric(78, 0) check (wanted > 0),
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, request_id, seq),
  check ((side = 'system') = (author_id is null)),
  check ((kind = 'quoted') = (num_nulls(sold, fee, bought, valid_until) = 0)),
  check (kind <> 'quoted' or rate is not null),
  check (kind <> 'countered' or num_nonnulls(rate, wanted) = 1),
  check (kind in ('quoted', 'countered') or num_nonnulls(rate, sold, fee, bought, valid_until, wanted) = 0),
  check (kind <> 'note' or text <> ''),
  foreign key (company_id, request_id) references causeway.otc_request (company_id, id)
);
call causeway.fence('causeway.otc_message');
create policy worker on causeway.otc_message to causeway_worker using (true) with check (true);
create trigger append_only before update or delete or truncate on causeway.otc_message
  for each statement execute function causeway.refuse_change();
-- Each side speaks for itself.
create policy own_side on causeway.otc_message as restrictive for insert to causeway_app
  with check (side = 'company' and kind in ('asked', 'note', 'countered', 'withdrawn'));
create policy own_side_worker on causeway.otc_message as restrictive for insert to causeway_worker with check (side = 'system' and kind = 'lapsed');

grant select on causeway.otc_request, causeway.otc_message to causeway_app, causeway_worker, causeway_operator, causeway_console;
grant insert (company_id, id, key, member_id, member_name, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, amount, usd_cents, deadline)
  on causeway.otc_request to causeway_app;
grant update (state, version, quote_id, state_at) on causeway.otc_request to causeway_app, causeway_worker;
grant insert on causeway.otc_message to causeway_app, causeway_worker;

-- The desk's answer is a quote like any other, but for its time and its makers.
alter table causeway.exchange_quote
  add column otc_request_id uuid,
  add foreign key (company_id, otc_request_id) references causeway.otc_request (company_id, id),
  add constraint exchange_quote_desk check (otc_request_id is null or rate <= mid);
alter table causeway.otc_request add foreign key (company_id, quote_id) references causeway.exchange_quote (company_id, id) deferrable initially deferred;
create unique index exchange_quote_otc on causeway.exchange_quote (company_id, otc_request_id) where otc_request_id is not null and used_by is null;
create policy members_have_none on causeway.exchange_quote as restrictive for insert to causeway_app with check (otc_request_id is null);
create policy desk on causeway.exchange_quote for select to causeway_owner using (otc_request_id is not null);
create policy desk on causeway.exchange for select to causeway_owner using (true);
create index exchange_quote_desk_open on causeway.exchange_quote (expires_at) where otc_request_id is not null;

-- Steps of a request. The company counters and withdraws, the desk quotes and declines (`otc_desk_quote`, `otc_desk_reply`), the worker lets it lapse
-- after its deadline, and its acceptance follows from the use of its quote (`accept_otc`).
create function causeway.keep_otc_request() returns trigger language plpgsql as $$
declare
  v_step text := old.state || ' ' || new.state;
begin
  if new.version <> old.version + 1 or not (case current_user
    when 'causeway_app' then v_step in ('asked asked', 'quoted quoted', 'quoted asked', 'asked withdrawn', 'quoted withdrawn')
    when 'causeway_worker' then v_step in ('asked lapsed', 'quoted lapsed') and old.deadline <= clock_timestamp()
    when 'causeway_owner' then v_step in
      ('asked asked', 'quoted quoted', 'asked quoted', 'asked declined', 'quoted declined', 'quoted accepted')
    else false end)
  then
    raise exception 'request % does not go from % to % by %', old.id, old.state, new.state, current_user using errcode = 'CW001';
  end if;
  if current_user = 'causeway_app' and new.state = 'quoted' and new.quote_id is distinct from old.quote_id then
    raise exception 'a company makes no quote' using errcode = 'CW001';
  end if;
  if new.state = 'lapsed' and old.quote_id is not null and exists (
    select from causeway.exchange_quote q
    where q.company_id = old.company_id and q.id = old.quote_id and q.expires_at > clock_timestamp())
  then
    raise exception 'a quote that holds keeps request % open', old.id using errcode = 'CW001';
  end if;
  new.state_at := case when new.state = old.state then old.state_at else clock_timestamp() end;
  return new;
end $$;
create trigger kept before update on causeway.otc_request for each row execute function causeway.keep_otc_request();

-- A message is the step that its request has just made.
create function causeway.keep_otc_message() returns trigger language plpgsql as $$
begin
  if not exists (select from causeway.otc_request r
    where r.company_id = new.company_id and r.id = new.request_id and r.version = new.seq
      and case new.kind when 'note' then r.state in ('asked', 'quoted') when 'countered' then r.state = 'asked' else r.state = new.kind end)
  then
    raise exception 'message % of request % is not its last step', new.seq, new.request_id using errcode = 'CW001';
  end if;
  return new;
end $$;
create trigger kept before insert on causeway.otc_message for each row execute function causeway.keep_otc_message();

-- With its owner's rights, since no other role removes a quote of the desk: one that its request has no more can never be accepted.
create function causeway.end_otc_quotes() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
begin
  perform set_config('causeway.company_id', new.company_id::text, true);
  delete from exchange_quote q
  where q.company_id = new.company_id and q.otc_request_id = new.id and q.used_by is null and q.id is distinct from new.quote_id;
  perform set_config('causeway.company_id', v_caller, true);
  return null;
end $$;
create trigger quotes_ended after update of quote_id on causeway.otc_request for each row
  when (old.quote_id is distinct from new.quote_id) execute function causeway.end_otc_quotes();

-- How much more of an asset the desk may take and give: the position's room without what its quotes that still hold may come to.
create function causeway.otc_room(p_asset text, p_except uuid) returns table (take numeric, give numeric)
  language sql stable security definer set search_path = causeway, pg_temp as $$
  with promised as (
    select q.sell_asset, q.sold, q.buy_asset, q.bought from exchange_quote q
    where q.otc_request_id is not null and q.otc_request_id is distinct from p_except and q.expires_at > clock_timestamp()
      and not exists (select from exchange e where e.company_id = q.company_id and e.submitted_quote_id = q.id and e.executed_at is not null)
  )
  -- No limit stays none: GREATEST would leave its null out.
  select case when r.take is not null then greatest(r.take - coalesce((select sum(sold) from promised where sell_asset = p_asset), 0), 0) end,
    case when r.give is not null then greatest(r.give - coalesce((select sum(bought) from promised where buy_asset = p_asset), 0), 0) end
  from exchange_room(p_asset) r
$$;
revoke execute on function causeway.otc_room from public;
grant execute on function causeway.otc_room to causeway_console;

-- Locks a request of the desk, its open quote first, as an exchange at it does. The caller's setting of the company is the request's from here on.
create function causeway.otc_lock(p_request uuid) returns causeway.otc_request
  language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_request otc_request;
begin
  select * into v_request from otc_request where id = p_request;
  if not found then
    raise exception 'there is no request %', p_request using errcode = 'P0002';
  end if;
  perform set_config('causeway.company_id', v_request.company_id::text, true);
  perform from exchange_quote q where q.company_id = v_request.company_id and q.otc_request_id = p_request and q.used_by is null for update;
  select * into v_request from otc_request where company_id = v_request.company_id and id = p_request for update;
  return v_request;
end $$;
revoke execute on function causeway.otc_lock from public;

create function causeway.otc_require_operator(p_operator uuid) returns text
  language plpgsql stable security definer set search_path = causeway, pg_temp as $$
declare
  v_name text;
begin
  select name into v_name from operator_account where id = p_operator and state = 'active' and role in ('treasury', 'administrator');
  if not found then
    raise exception 'operator % does not answer for the desk', p_operator using errcode = 'CW001';
  end if;
  return v_name;
end $$;
revoke execute on function causeway.otc_require_operator from public;

-- What the operator's console may write of a company's request, with the owner's rights: a price, no better for the company than the middle prices of this
-- moment, within the limits of the position, for what was asked. Returns why not, or the end of the quote.
create function causeway.otc_desk_quote(p_request uuid, p_version integer, p_operator uuid, p_text text, p_quote uuid, p_sold numeric, p_fee numeric,
  p_bought numeric, p_rate numeric, p_mid numeric, p_spread_bp integer, p_fee_bp integer, p_sell_usd numeric, p_buy_usd numeric, p_sources text[],
  p_rated_at timestamptz, p_digest bytea, p_minutes integer, p_outbox uuid[])
returns table (problem text, made_at timestamptz, ends_at timestamptz)
language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
  v_name text := otc_require_operator(p_operator);
  v_request otc_request;
  v_sell asset;
  v_buy asset;
  v_now timestamptz;
begin
  -- Two answers together must not go beyond what each of them may.
  perform pg_advisory_xact_lock(hashtextextended('otc.desk', 0));
  v_request := otc_lock(p_request);
  v_now := clock_timestamp();
  select * into v_sell from asset where id = v_request.sell_asset;
  select * into v_buy from asset where id = v_request.buy_asset;
  problem := case
    when v_request.state not in ('asked', 'quoted') or v_request.deadline <= v_now then 'closed'
    when v_request.version <> p_version then 'changed'
    when exists (select from restore_mode where released_at is null) or exists (select from company where company_id = v_request.company_id and frozen_at is not null)
      or exists (select from wallet w where w.company_id = v_request.company_id and w.id in (v_request.sell_wallet_id, v_request.buy_wallet_id)
        and w.frozen_at is not null) then 'frozen'
    when not otc_price_holds(v_request.sell_asset, p_sell_usd) or not otc_price_holds(v_request.buy_asset, p_buy_usd) then 'price'
    when p_rate * p_buy_usd > p_sell_usd then 'above'
    when exists (select from otc_room(v_request.sell_asset, p_request) r where r.take < p_sold)
      or exists (select from otc_room(v_request.buy_asset, p_request) r where r.give < p_bought) then 'limit'
  end;
  if problem is null then
    if p_minutes not between 1 and 1440 or p_fee < 0
      or v_request.amount <> (case v_request.fixed when 'sell' then p_sold + p_fee else p_bought end)
      or p_bought * power(10::numeric, v_sell.decimals) > p_sold * p_rate * power(10::numeric, v_buy.decimals)
    then
      raise exception 'a quote of the desk is for what was asked, at its rate' using errcode = 'CW001';
    end if;
    delete from exchange_quote q where q.company_id = v_request.company_id and q.otc_request_id = p_request and q.used_by is null;
    insert into exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, mid, rate,
      spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, created_at, expires_at, otc_request_id)
    values (v_request.company_id, p_quote, v_request.member_id, v_request.sell_wallet_id, v_request.buy_wallet_id, v_request.sell_asset,
      v_request.buy_asset, v_request.fixed, p_sold, p_fee, p_bought, p_mid, p_rate, p_spread_bp, p_fee_bp, p_sell_usd, p_buy_usd, p_sources, p_rated_at,
      p_digest, v_now, v_now + make_interval(mins => p_minutes), p_request);
    update otc_request r set state = 'quoted', quote_id = p_quote, version = r.version + 1
    where r.company_id = v_request.company_id and r.id = p_request;
    insert into otc_message (company_id, request_id, seq, side, author_id, author_name, kind, text, rate, sold, fee, bought, valid_until)
    values (v_request.company_id, p_request, v_request.version + 1, 'desk', p_operator, v_name, 'quoted', p_text, p_rate, p_sold, p_fee, p_bought,
      v_now + make_interval(mins => p_minutes));
    perform otc_announce(v_request.company_id, p_request, v_request.version + 1, p_outbox);
    made_at := v_now;
    ends_at := v_now + make_interval(mins => p_minutes);
  end if;
  perform set_config('causeway.company_id', v_caller, true);
  return next;
end $$;

-- Whether an asset's middle price may be quoted now and is this one; the US dollar is 1 by definition.
create function causeway.otc_price_holds(p_asset text, p_usd numeric) returns boolean language sql stable as $$
  select case when p_asset = 'USD' then p_usd = 1 else exists (
    select from causeway.rate_mid m where m.asset_id = p_asset and m.usd = p_usd and m.problem is null and m.holds_until > clock_timestamp()) end
$$;

-- Tells the company's people and its open pages of the desk's step.
create function causeway.otc_announce(p_company uuid, p_request uuid, p_seq integer, p_outbox uuid[]) returns void language sql as $$
  insert into causeway.outbox (company_id, id, name, payload)
  values (p_company, p_outbox[1], 'otc.answered', jsonb_build_object('id', p_outbox[1], 'requestId', p_request, 'seq', p_seq)),
    (p_company, p_outbox[2], 'live', jsonb_build_object('topic', 'otc', 'id', p_request))
$$;

-- The desk declines a request, or writes to the company. Returns why not.
create function causeway.otc_desk_reply(p_request uuid, p_version integer, p_operator uuid, p_kind text, p_text text, p_outbox uuid[]) returns text
language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
  v_name text := otc_require_operator(p_operator);
  v_request otc_request;
  v_problem text;
begin
  v_request := otc_lock(p_request);
  if p_kind not in ('note', 'declined') then
    raise exception 'the desk does not say %', p_kind using errcode = 'CW001';
  end if;
  v_problem := case when v_request.state not in ('asked', 'quoted') then 'closed' when v_request.version <> p_version then 'changed' end;
  if v_problem is null then
    update otc_request r set state = case p_kind when 'declined' then 'declined' else r.state end, version = r.version + 1,
      quote_id = case p_kind when 'declined' then null else r.quote_id end
    where r.company_id = v_request.company_id and r.id = p_request;
    insert into otc_message (company_id, request_id, seq, side, author_id, author_name, kind, text)
    values (v_request.company_id, p_request, v_request.version + 1, 'desk', p_operator, v_name, p_kind, p_text);
    perform otc_announce(v_request.company_id, p_request, v_request.version + 1, p_outbox);
  end if;
  perform set_config('causeway.company_id', v_caller, true);
  return v_problem;
end $$;
revoke execute on function causeway.otc_desk_quote, causeway.otc_price_holds, causeway.otc_announce, causeway.otc_desk_reply from public;
grant execute on function causeway.otc_desk_quote, causeway.otc_desk_reply to causeway_console;

-- The exchange that uses the desk's quote accepts the request, in the same transaction: whichever process uses it, and nothing else does.
create function causeway.accept_otc() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
declare
  v_caller text := coalesce(current_setting('causeway.company_id', true), '');
  v_version integer;
  v_by transaction;
begin
  perform set_config('causeway.company_id', new.company_id::text, true);
  select * into v_by from transaction
  where company_id = new.company_id and id = new.used_by and type in ('crypto_exchange_out', 'fiat_exchange_out');
  if not found then
    raise exception 'a quote of the desk is used by an exchange' using errcode = 'CW001';
  end if;
  update otc_request set state = 'accepted', transaction_id = new.used_by, version = version + 1
  where company_id = new.company_id and id = new.otc_request_id and state = 'quoted' and quote_id = new.id
  returning version into v_version;
  if not found then
    raise exception 'quote % is not the open one of its request', new.id using errcode = 'CW001';
  end if;
  insert into otc_message (company_id, request_id, seq, side, author_id, author_name, kind)
  values (new.company_id, new.otc_request_id, v_version, 'company', v_by.initiator_id, v_by.initiator_name, 'accepted');
  perform set_config('causeway.company_id', v_caller, true);
  return null;
end $$;
create constraint trigger accepts_request after update of used_by on causeway.exchange_quote deferrable initially deferred
  for each row when (old.used_by is null and new.used_by is not null and new.otc_request_id is not null) execute function causeway.accept_otc();

-- What is exchanged at the desk's quote is exactly what it says, while it holds.
create function causeway.check_exchange_at_desk() returns trigger language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  if exists (
    select from exchange_quote q where q.company_id = new.company_id and q.id = new.submitted_quote_id and q.otc_request_id is not null
      and (new.executed_quote_id <> q.id or new.executed_sold <> q.sold or new.executed_fee <> q.fee or new.executed_bought <> q.bought
        or new.executed_at > q.expires_at))
  then
    raise exception 'exchange % is not what the desk quoted', new.transaction_id using errcode = 'CW001';
  end if;
  return null;
end $$;
create constraint trigger is_of_desk after insert or update on causeway.exchange
  for each row when (new.executed_at is not null) execute function causeway.check_exchange_at_desk();

-- From which worth on the desk is asked: below it a company exchanges at once. The last row is in force.
create table causeway.otc_minimum (
  number bigint generated always as identity primary key,
  usd_cents numeric(78, 0) not null check (usd_cents >= 0),
  reason text not null,
  set_at timestamptz not null default clock_timestamp(),
  set_by uuid not null references causeway.operator_account (id)
);
create trigger append_only before update or delete or truncate on causeway.otc_minimum
  for each statement execute function causeway.refuse_change();
grant select on causeway.otc_minimum to causeway_app, causeway_operator, causeway_console;
grant insert (usd_cents, reason, set_by) on causeway.otc_minimum to causeway_console;
