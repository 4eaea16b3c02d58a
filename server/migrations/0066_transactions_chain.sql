-- What only chains know of a transaction stands in a table of its own: where it is on its chain. A row is written when the
-- transaction has a hash.
create table causeway.transaction_chain (
  company_id uuid not null,
  transaction_id uuid not null,
  chain_id text not null references causeway.chain (id),
  hash text not null,
  -- Null while it is in no block.
  block_number bigint,
  block_hash text,
  confirmations integer,
  primary key (company_id, transaction_id),
  foreign key (company_id, transaction_id) references causeway.transaction (company_id, id)
);
call causeway.fence('causeway.transaction_chain');
grant select on causeway.transaction_chain to causeway_app, causeway_operator;
grant select, insert, update (hash, block_number, block_hash, confirmations) on causeway.transaction_chain to causeway_worker;
create index transaction_chain_hash on causeway.transaction_chain (company_id, lower(hash));

-- The owner has to see every company's rows for a moment.
alter table causeway.transaction no force row level security;
alter table causeway.transaction_chain no force row level security;
insert into causeway.transaction_chain (company_id, transaction_id, chain_id, hash, block_number, block_hash, confirmations)
  select company_id, id, chain_id, hash, block_number, block_hash, confirmations from causeway.transaction
  where hash is not null and chain_id is not null;
-- A refund's stage is what its timeline says.
update causeway.transaction set stage = 'refunded' where type = 'failed_refund' and stage = 'completed';
alter table causeway.transaction force row level security;
alter table causeway.transaction_chain force row level security;

-- The search reads hashes here: their text is written when a hash is, and rewritten when a replacement has another.
grant select on causeway.transaction_chain to causeway_search;
create policy search on causeway.transaction_chain for select to causeway_search using (true);
drop trigger text_rewritten on causeway.transaction;
create or replace function causeway.transaction_codes(t causeway.transaction) returns text language sql immutable parallel safe
  return lower(concat_ws(chr(10), t.payee_account, t.payer_account, t.id::text));

grant usage, create on schema causeway to causeway_search;
create function causeway.write_transaction_hash() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  update transaction_text x set codes = concat_ws(chr(10), x.codes, lower(a.hash)), indexed = false
  from added a where x.company_id = a.company_id and x.transaction_id = a.transaction_id;
  return null;
end $$;
create or replace function causeway.rewrite_transaction_text() returns trigger language plpgsql
  security definer set search_path = causeway, pg_temp as $$
begin
  update transaction_text x set codes = replace(x.codes, lower(old.hash), lower(new.hash)), indexed = false
  where x.company_id = new.company_id and x.transaction_id = new.transaction_id;
  return null;
end $$;
alter function causeway.write_transaction_hash owner to causeway_search;
revoke execute on function causeway.write_transaction_hash from public;
create trigger hash_written after insert on causeway.transaction_chain
  referencing new table as added for each statement execute function causeway.write_transaction_hash();
create trigger text_rewritten after update of hash on causeway.transaction_chain
  for each row when (old.hash is distinct from new.hash) execute function causeway.rewrite_transaction_text();

-- The company's transactions with a hash: few, and found before the list is walked.
create function causeway.transaction_hash_ids(p_hash text) returns uuid[] language sql stable
  set search_path = causeway, pg_temp as $$
  select array(select transaction_id from transaction_chain where company_id = company_id() and lower(hash) = p_hash);
$$;
alter function causeway.transaction_hash_ids owner to causeway_search;
revoke execute on function causeway.transaction_hash_ids from public;

-- As in 0014, with hashes looked up where they are.
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid', company_id());
  v_word text := lower(p_filter ->> 'keyword');
  v_ids uuid[];
begin
  if p_filter ? 'type' then v_where := v_where || format(' and t.type = %L', p_filter ->> 'type'); end if;
  if p_filter ? 'status' then v_where := v_where || format(' and t.status = %L', p_filter ->> 'status'); end if;
  if p_filter ? 'coin' then v_where := v_where || format(' and t.coin = %L', p_filter ->> 'coin'); end if;
  if p_filter ? 'walletId' then v_where := v_where || format(' and t.wallet_id = %L::uuid', p_filter ->> 'walletId'); end if;
  if p_filter ? 'from' then v_where := v_where || format(' and t.created_at >= %L::timestamptz', p_filter ->> 'from'); end if;
  if p_filter ? 'to' then v_where := v_where || format(' and t.created_at < %L::timestamptz', p_filter ->> 'to'); end if;
  if p_filter ? 'amountMin' then v_where := v_where || format(' and t.amount_whole >= %L::numeric', p_filter ->> 'amountMin'); end if;
  if p_filter ? 'amountMax' then v_where := v_where || format(' and t.amount_whole <= %L::numeric', p_filter ->> 'amountMax'); end if;
  if v_word ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    v_where := v_where || format(' and t.id = %L::uuid', v_word);
  elsif v_word ~ '^0x[0-9a-f]{64}$' then
    v_where := v_where || format(' and t.id = any (%L::uuid[])', transaction_hash_ids(v_word));
  elsif v_word ~ '^0x[0-9a-f]{40}$' then
    v_where := v_where || format(
      ' and (address_likeness(t.payer_account) = %1$L and lower(t.payer_account) = %2$L
         or address_likeness(t.payee_account) = %1$L and lower(t.payee_account) = %2$L)',
      address_likeness(v_word), v_word);
  elsif is_free_text(v_word) then
    v_ids := transaction_text_ids(v_word, c_most + 1);
    if cardinality(v_ids) <= c_most then
      v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
    else
      v_where := v_where || format(
        ' and (select %s from transaction_text x where x.company_id = t.company_id and x.transaction_id = t.id)',
        transaction_text_condition(v_word, false));
    end if;
  end if;
  return v_where;
end $$;
revoke create on schema causeway from causeway_search;

alter table causeway.transaction drop column hash, drop column block_number, drop column block_hash, drop column confirmations;
