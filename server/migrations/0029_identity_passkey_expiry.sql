-- Challenges to passkeys that were never answered go with all else that has expired (0023). A member's old ones go when the
-- same member is asked again; those of a member who never comes back would stay.
call causeway.let_expire('causeway.passkey_challenge', $$expires_at < now() - interval '1 day'$$);
grant select (company_id, challenge_sha256, expires_at) on causeway.passkey_challenge to causeway_worker;

create index passkey_challenge_expiry on causeway.passkey_challenge using brin (expires_at) with (autosummarize = on);
