-- A sequence is restored with the database, and the chains are not: a company that registers after a restore would get the
-- address of a company that registered after the backup. Restore mode therefore moves the sequence on, however it begins, by more
-- companies than register between a backup and its restore. BIP32 has 2^31 indexes: enough for some 20,000 restores.
create function causeway.skip_derivation_indexes() returns trigger
language plpgsql security definer set search_path = causeway, pg_temp as $$
begin
  perform setval('company_derivation_index', nextval('company_derivation_index') + 100000);
  return null;
end $$;
revoke execute on function causeway.skip_derivation_indexes() from public;
create trigger restore_skips_derivation_indexes after insert on causeway.restore_mode
  for each row execute function causeway.skip_derivation_indexes();

-- Companies that wait for their first address: while restore mode holds, none is given out. Answers ids alone.
grant usage, create on schema causeway to causeway_lookup;
grant select (company_id) on causeway.chain_address to causeway_lookup;
create policy lookup on causeway.chain_address for select to causeway_lookup using (true);
create function causeway.companies_without_address() returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select c.company_id from company c
  where not exists (select from chain_address a where a.company_id = c.company_id)
$$;
alter function causeway.companies_without_address owner to causeway_lookup;
revoke create on schema causeway from causeway_lookup;
revoke execute on function causeway.companies_without_address from public;
grant execute on function causeway.companies_without_address to causeway_worker;
