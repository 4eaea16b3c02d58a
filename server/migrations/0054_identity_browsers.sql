-- Browsers in which a member has signed in before (docs/adr/0046). A cookie that scripts cannot read holds the token. It carries no
-- right of its own: it exempts its member from what strangers' failures bring about, and a laissezPasser counts only beside it.
create table causeway.known_browser (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- Replaced at every sign-in, so that a token planted in a browser never becomes its member's.
  token_sha256 bytea not null,
  -- The session that the last sign-in opened.
  session_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, user_id, token_sha256),
  foreign key (company_id, user_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.known_browser');
drop policy operator_reads on causeway.known_browser;
grant select, insert, delete, update (token_sha256, session_id, expires_at) on causeway.known_browser to causeway_app;
call causeway.let_expire('causeway.known_browser', $$expires_at < now() - interval '1 day'$$);
grant select (company_id, id, expires_at) on causeway.known_browser to causeway_worker;
create index known_browser_expiry on causeway.known_browser using brin (expires_at) with (autosummarize = on);

-- The password step came from this browser; null when the browser was not known.
alter table causeway.sign_in_ticket add column browser_id uuid;

-- A laissezPasser belongs to one browser.
truncate causeway.trusted_browser;
alter table causeway.trusted_browser add column browser_id uuid not null;
alter table causeway.trusted_browser add foreign key (company_id, browser_id)
  references causeway.known_browser (company_id, id) on delete cascade;

-- A link that its owner asked for at "forgotten password", where a code could be guessed too often.
alter table causeway.activation_token drop constraint activation_token_purpose_check;
alter table causeway.activation_token add constraint activation_token_purpose_check
  check (purpose in ('activation', 'reset', 'forget'));
