-- What the issuer of cards said and could not be booked, or contradicts what it said before: kept as it was received, for a person (docs/adr/0102-…). Its
-- numbers of cards are masked before it is stored.
create table causeway.card_message (
  -- The nil company: it names no card of any company.
  company_id uuid not null,
  id uuid not null,
  problem text not null check (problem in ('unreadable', 'unknownType', 'unknownCard', 'otherCard', 'otherCurrency', 'otherContent', 'declinedAfterCleared')),
  -- The same said again is one row.
  key text not null check (length(key) between 1 and 400),
  card_id uuid,
  -- As the issuer names them, as far as they could be read.
  token text,
  purchase_token text,
  card_token text,
  type text not null default '',
  -- Minor units of the currency.
  amount numeric(78, 0),
  currency text,
  body text not null check (length(body) <= 70000),
  received_at timestamptz not null default clock_timestamp(),
  -- Its cause has ended: the card is known by now, and what the issuer says of the purchase was taken in.
  ended_at timestamptz,
  primary key (company_id, id),
  unique (company_id, key),
  foreign key (company_id, card_id) references causeway.card (company_id, id)
);
call causeway.fence('causeway.card_message');
create index card_message_open on causeway.card_message (problem, received_at) where ended_at is null;
grant select, insert on causeway.card_message to causeway_app, causeway_worker;
grant update (ended_at) on causeway.card_message to causeway_worker;
grant select on causeway.card_message to causeway_operator, causeway_console;

-- Holds that the issuer knew nothing of: the end of such a hold is an event of ours.
create index card_event_unknown on causeway.card_event (received_at) where starts_with(token, 'unknown-');

-- The company of a purchase; the issuer names it once over all companies.
create index card_purchase_token on causeway.card_purchase (token);
grant create on schema causeway to causeway_lookup;
grant select (token) on causeway.card_purchase to causeway_lookup;
create function causeway.card_purchase_elsewhere(p_token text) returns boolean
  language sql stable security definer set search_path = causeway, pg_temp as $$
  select exists (select from card_purchase p where p.token = p_token and p.company_id <> causeway.company_id())
$$;
alter function causeway.card_purchase_elsewhere owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.card_purchase_elsewhere from public;
grant execute on function causeway.card_purchase_elsewhere to causeway_app, causeway_worker;
