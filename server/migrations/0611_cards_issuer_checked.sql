-- Whether workers have checked a card issuer lately, which they do where one is connected: what a look shows of it, whose process has none.
create function causeway.card_issuer_checked() returns boolean
language sql stable security definer set search_path = causeway, pg_temp as $$
  select exists (select from component_state where name = 'card-issuer' and checked_at > now() - interval '10 minutes')
$$;
revoke execute on function causeway.card_issuer_checked from public;
grant execute on function causeway.card_issuer_checked to causeway_look;
