-- A night's report may wait for something that comes by itself: a chain that is not read yet, a block that is not final, a payment that is not booked. It is
-- then looked at again every minute, without the pause after a failure.
alter table causeway.solvency_state add column waiting boolean not null default false;
