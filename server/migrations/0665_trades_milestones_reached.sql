-- The milestones that an event of the platform says were reached, by their names, so that the timeline says which.
alter table causeway.trade_line add column milestones text[] not null default '{}';
