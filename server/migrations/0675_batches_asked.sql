-- A pain.001 message says on which day each of its payments is to be made. A batch is paid when it is submitted: people are shown the days.

alter table causeway.payout_batch
  -- The first and the last day that the file asks for; null: it names none.
  add column asked_from date,
  add column asked_to date,
  add constraint payout_batch_asked check ((asked_from is null) = (asked_to is null) and asked_from <= asked_to);
