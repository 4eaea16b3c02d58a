-- Why a check fails, as the id of a sentence with its blanks, so that each operator reads it in their own language; `reason` is the same in English.
alter table causeway.component_state add column said jsonb;
