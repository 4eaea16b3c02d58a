-- Payments out of banks with an HTTP API: transfers as the bank reports them, and how an order of one of them is sent.

-- A transfer as the bank last reported it and as it was stored: what is asked again, and from when on.
create table causeway.bank_transfer (
  bank_id text not null references causeway.bank (id),
  id text not null check (length(id) between 1 and 100),
  -- The id under which it was ordered: ours where it is the reference of a payment.
  request_id text not null check (length(request_id) <= 100),
  -- The bank's own, as PROCESSING, SENT, PAID, FAILED; empty: known, and no state of it is stored yet.
  status text not null check (length(status) <= 40),
  -- When it began, by the bank's clock.
  begun_at timestamptz not null,
  asked_at timestamptz not null default now(),
  primary key (bank_id, id)
);
create index bank_transfer_begun on causeway.bank_transfer (bank_id, begun_at);
create index bank_transfer_open on causeway.bank_transfer (bank_id, asked_at) where status not in ('PAID', 'FAILED', 'CANCELLED');
create index bank_transfer_request on causeway.bank_transfer (bank_id, request_id);

-- An order over an API is one payment and no file. `tries` counts how often it was sent; the bank decides one request id once.
alter table causeway.bank_order alter column file_name drop not null;
alter table causeway.bank_order add column tries integer not null default 0 check (tries >= 0), add column tried_at timestamptz;
grant update (tries, tried_at) on causeway.bank_order to causeway_worker;

-- The id that the bank gave the transfer.
alter table causeway.payout add column transfer_id text check (length(transfer_id) between 1 and 100);
grant update (transfer_id) on causeway.payout to causeway_worker;

grant select on causeway.bank_transfer to causeway_worker, causeway_operator, causeway_console;
grant insert on causeway.bank_transfer to causeway_worker;
grant update (status, asked_at) on causeway.bank_transfer to causeway_worker;
