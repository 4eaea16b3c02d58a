-- Payees with a bank account. An account is a version that never changes: what was submitted names the version, and an edit adds the
-- next. What lists filter by, and what must be unique, is of the current version and is repeated at the payee.

create table causeway.bank_payee (
  company_id uuid not null,
  id uuid not null,
  -- The payment customer number: the company's own sequence, by which instructions to banks name the payee.
  number integer not null check (number > 0),
  label text not null,
  remark text not null default '',
  version_id uuid not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  currency text not null references causeway.asset (id),
  -- Bank and account, by which spellings and ways of one account are the same.
  account_key text not null,
  -- What black lists may call the account: the number alone, with the bank's code, the IBAN.
  account_names text[] not null,
  -- The holder's name without what the eye passes over: names with the same one look alike.
  likeness text not null,
  -- Those of account_names that are on the company's black list.
  blocked_by text[] not null default '{}',
  approval text not null default 'none' check (approval in ('none', 'waiting', 'approved', 'rejected')),
  changed_at timestamptz,
  -- Payments to its address are refused since unstructured addresses ended: it lacks its town.
  needs_address boolean not null default false,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (
    case
      when deleted_at is not null then 'deleted'
      when approval in ('waiting', 'rejected') then approval
      when cardinality(blocked_by) > 0 then 'unusable'
      else 'usable'
    end
  ) stored,
  primary key (company_id, id),
  unique (company_id, number)
);
call causeway.fence('causeway.bank_payee');
-- An account that was rejected can be applied for again.
create unique index bank_payee_account on causeway.bank_payee (company_id, account_key, currency)
  where deleted_at is null and approval <> 'rejected';
create index bank_payee_time on causeway.bank_payee (company_id, created_at desc, id desc);
create index bank_payee_likeness on causeway.bank_payee (company_id, likeness);

create table causeway.bank_payee_version (
  company_id uuid not null,
  id uuid not null,
  payee_id uuid not null,
  holder text not null check (holder in ('enterprise', 'personal')),
  -- As it is written in instructions: of an enterprise, or first and last name.
  name text not null check (name <> ''),
  first_name text,
  last_name text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  currency text not null references causeway.asset (id),
  way text not null,
  -- Fields by name (contract/src/bank-fields.ts), each in its one spelling; those that are filled.
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  account text not null,
  -- What the payee's bank said of the name; null while it has not been asked.
  verification text check (verification in ('match', 'close', 'none', 'impossible')),
  verified_name text,
  verified_at timestamptz,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, payee_id) references causeway.bank_payee (company_id, id),
  check ((verification is null) = (verified_at is null)),
  check (verified_name is null or verification = 'close')
);
call causeway.fence('causeway.bank_payee_version');
create index bank_payee_version_payee on causeway.bank_payee_version (company_id, payee_id, created_at desc);
alter table causeway.bank_payee add foreign key (company_id, version_id)
  references causeway.bank_payee_version (company_id, id) deferrable initially deferred;

grant select, insert, update (label, remark, version_id, country, currency, account_key, account_names, likeness, blocked_by, approval,
  changed_at, needs_address, deleted_at) on causeway.bank_payee to causeway_app;
grant select, insert on causeway.bank_payee_version to causeway_app;
grant select on causeway.bank_payee, causeway.bank_payee_version to causeway_worker, causeway_operator, causeway_console;

-- Applications expire in the worker, which can reject an account and never approve one; it also writes what the payee's bank said.
grant update (approval) on causeway.bank_payee to causeway_worker;
create policy worker_rejects on causeway.bank_payee as restrictive for update to causeway_worker
  using (approval = 'waiting') with check (approval = 'rejected');
grant update (verification, verified_name, verified_at) on causeway.bank_payee_version to causeway_worker;

-- A decision on an account is for good; another account is decided on by itself.
create function causeway.keep_bank_payee_approval() returns trigger language plpgsql as $$
begin
  raise exception 'the approval of account % has ended as %', old.version_id, old.approval;
end $$;
create trigger keep_approval before update of approval on causeway.bank_payee for each row
  when (old.version_id = new.version_id and old.approval <> 'waiting' and new.approval <> old.approval)
  execute function causeway.keep_bank_payee_approval();
