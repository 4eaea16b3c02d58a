-- An upload that nothing names within a day goes, row and bytes. What names a file does so by a foreign key: that is
-- what keeps the file, and `kept` remembers that it was found kept, so that each file is looked at once.

alter table causeway.transfer_attachment add foreign key (company_id, file_id) references causeway.file (company_id, id);
create index transfer_attachment_of_file on causeway.transfer_attachment (company_id, file_id);

alter table causeway.file add column kept boolean not null default false;
create index file_undecided on causeway.file (created_at) where not kept;

create policy expiry_seen on causeway.file for select to causeway_worker using (created_at < now() - interval '1 day');
create policy expired_alone on causeway.file as restrictive for delete to causeway_worker
  using (created_at < now() - interval '1 day');
grant delete, update (kept) on causeway.file to causeway_worker;
