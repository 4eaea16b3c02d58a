-- Wallets of before (migration 0300 wrote behind the fence of its owner, and so nothing).
alter table causeway.ledger_account no force row level security;
alter table causeway.wallet no force row level security;
insert into causeway.ledger_account (company_id, id, owner_id, kind, asset_id, normal)
select w.company_id, uuidv7(), w.id, 'fx', w.asset_id, 'any' from causeway.wallet w
on conflict (company_id, owner_id, kind) do nothing;
alter table causeway.ledger_account force row level security;
alter table causeway.wallet force row level security;
