-- A look reads the prices that hold for its company, as the company's own process does: its own rows by the fence, and those for every
-- company. No other table of the operator's is in a look.
grant select on causeway.operator_price to causeway_look;
create policy installation_in_looks on causeway.operator_price for select to causeway_look
  using (company_id = '00000000-0000-0000-0000-000000000000');
