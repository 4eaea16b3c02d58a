-- What a company files a transaction under: the invoice that it pays, and a category of the company's own.
alter table causeway.transaction
  add column invoice_number text check (length(invoice_number) between 1 and 60),
  add column category text check (length(category) between 1 and 40);

-- A company files few of its transactions under one category, and walking through all of them to find these would take long. Rows
-- without a category cost nothing here. Invoice numbers are found through the index of texts.
create index transaction_category_time on causeway.transaction (company_id, category, created_at desc, id desc)
  where category is not null;

-- The categories that were used, as they were first written; forms suggest them.
create table causeway.transaction_category (
  company_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 40),
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
call causeway.fence('causeway.transaction_category');
create unique index transaction_category_name on causeway.transaction_category (company_id, lower(name));
grant select, insert, delete on causeway.transaction_category to causeway_app;
call causeway.admit_batches('causeway.transaction_category', 'select');
call causeway.admit_batches('causeway.transaction_category', 'insert');

create or replace function causeway.transaction_spoken(t causeway.transaction) returns text language sql immutable parallel safe
  return lower(concat_ws(chr(10), t.payee_name, t.payer_name, t.description, t.notes, t.initiator_name, t.invoice_number, t.category));

-- As in 0110, with category and invoice number. An invoice number is looked for in the texts, of which it is one line, and compared then.
grant create on schema causeway to causeway_search;
create or replace function causeway.transaction_filter(p_filter jsonb) returns text language plpgsql stable
  set search_path = causeway, pg_temp as $$
declare
  c_most constant integer := 10000;
  v_where text := format('t.company_id = %L::uuid', company_id());
  v_word text := lower(p_filter ->> 'keyword');
  v_invoice text := lower(p_filter ->> 'invoiceNumber');
  v_ids uuid[];
  v_amount record;
begin
  if p_filter ? 'type' then v_where := v_where || format(' and t.type = %L', p_filter ->> 'type'); end if;
  if p_filter ? 'status' then v_where := v_where || format(' and t.status = %L', p_filter ->> 'status'); end if;
  if p_filter ? 'coin' then v_where := v_where || format(' and t.coin = %L', p_filter ->> 'coin'); end if;
  if p_filter ? 'walletId' then v_where := v_where || format(' and t.wallet_id = %L::uuid', p_filter ->> 'walletId'); end if;
  if p_filter ? 'category' then v_where := v_where || format(' and t.category = %L', p_filter ->> 'category'); end if;
  if p_filter ? 'from' then v_where := v_where || format(' and t.created_at >= %L::timestamptz', p_filter ->> 'from'); end if;
  if p_filter ? 'to' then v_where := v_where || format(' and t.created_at < %L::timestamptz', p_filter ->> 'to'); end if;
  if p_filter ? 'amountMin' then v_where := v_where || format(' and t.amount_whole >= %L::numeric', p_filter ->> 'amountMin'); end if;
  if p_filter ? 'amountMax' then v_where := v_where || format(' and t.amount_whole <= %L::numeric', p_filter ->> 'amountMax'); end if;
  if v_invoice <> '' then
    v_ids := transaction_text_ids(v_invoice, c_most + 1);
    if cardinality(v_ids) <= c_most then v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids); end if;
    v_where := v_where || format(' and strpos(lower(t.invoice_number), %L) > 0', v_invoice);
  end if;
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
    v_ids := transaction_word_ids(v_word, c_most + 1);
    if cardinality(v_ids) <= c_most then
      v_where := v_where || format(' and t.id = any (%L::uuid[])', v_ids);
    else
      select * into v_amount from amount_of_word(v_word);
      v_where := v_where || format(
        ' and ((select %s from transaction_text x where x.company_id = t.company_id and x.transaction_id = t.id)%s)',
        transaction_text_condition(v_word, false),
        case when v_amount.low is not null then format(
          ' or t.amount_whole >= %L::numeric and t.amount_whole < %L::numeric%s%s', v_amount.low, v_amount.high,
          case when v_amount.direction is not null then format(' and t.direction = %L', v_amount.direction) end,
          case when v_amount.coin is not null then format(' and t.coin = %L', v_amount.coin) end) end);
    end if;
  end if;
  return v_where;
end $$;
revoke create on schema causeway from causeway_search;
