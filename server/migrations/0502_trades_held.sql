-- What is frozen for a trade is the company's all the while (docs/adr/0105-…): it holds the asset as well.

create or replace function causeway.holders_of(p_asset text) returns table (company_id uuid)
language sql stable security definer set search_path = causeway, pg_temp as $$
  select distinct l.company_id from ledger_account l
  where l.asset_id = p_asset and l.kind in ('available', 'outbound', 'escrow') and l.balance > 0;
$$;
