-- Since when members have a controlling permission, and when another person took it from them: for some days a company still counts
-- as having whom it was taken from. A member without a row has had it for as long as they are there, or never had it.
create table causeway.rule_manager (
  company_id uuid not null,
  member_id uuid not null,
  -- One of `controllingPermissions` (contract/src/permission.ts).
  permission text not null,
  -- When it was given; null: before such changes were written down.
  since timestamptz,
  -- By somebody else; null while they have it.
  taken_at timestamptz,
  primary key (company_id, member_id, permission),
  foreign key (company_id, member_id) references causeway.member (company_id, id)
);
call causeway.fence('causeway.rule_manager');
grant select, insert, update, delete on causeway.rule_manager to causeway_app;
grant select on causeway.rule_manager to causeway_operator;
