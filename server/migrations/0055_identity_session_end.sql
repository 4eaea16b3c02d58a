-- Tells every HTTP process at commit that sessions of a member have ended or that the member's role has changed, so that live
-- streams of the member end at once. The payload is [company id, user id].
create function causeway.announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_notify('causeway_session', pg_catalog.json_build_array(new.company_id,
    case tg_table_name when 'member' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'user_id' end)::text);
  return null;
end $$;

create trigger announce_end after update of ended_at on causeway.session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function causeway.announce_session_end();
create trigger announce_end after update of disabled_at, role_id on causeway.member for each row
  when (old.disabled_at is distinct from new.disabled_at or old.role_id is distinct from new.role_id)
  execute function causeway.announce_session_end();
