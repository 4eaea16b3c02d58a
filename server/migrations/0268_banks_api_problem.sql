-- answerUnusable: what an HTTP API answers is not what was agreed on.
alter table causeway.bank_connection_state drop constraint bank_connection_state_problem_check;
alter table causeway.bank_connection_state add constraint bank_connection_state_problem_check check (problem in
  ('unreachable', 'hostKeyChanged', 'signInRefused', 'folderMissing', 'fileTooLarge', 'brokenOff', 'notMoved', 'notWritten', 'answerUnusable'));
