-- A kind of task is a key that its feature registers in the program (docs/adr/0057): the database keeps the key and what lists and
-- decisions look at, written when the task is opened.
alter table causeway.approval_task
  drop constraint approval_task_kind_check,
  add check (kind ~ '^[a-z][a-z_]{1,39}$'),
  -- An administrator can take it over from an initiator who is no longer active.
  add column adoptable boolean,
  -- It changes who approves, who changes controls, or what can leave: it concerns everyone who approves or administers.
  add column changes_controls boolean;
-- The owner has to see every company's rows for a moment.
alter table causeway.approval_task no force row level security;
update causeway.approval_task set adoptable = kind = 'transfer', changes_controls = kind <> 'transfer', content = content - 'kind';
alter table causeway.approval_task force row level security;
alter table causeway.approval_task
  alter column adoptable set not null,
  alter column changes_controls set not null;
