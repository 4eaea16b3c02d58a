-- A fill of very little may cost less than the venue's smallest unit, and is then reported with a cost of 0: it is a fill all the same.
alter table causeway.hedge_fill drop constraint hedge_fill_cost_check, add constraint hedge_fill_cost_check check (cost >= 0);
-- The check of the amount; what a company exchanges is still never nothing.
alter table causeway.position_entry drop constraint position_entry_check,
  add constraint position_entry_check check (case when amount = 0 then source = 'hedge' else (amount > 0) = (side = 'taken') end);
