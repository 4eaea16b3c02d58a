-- An idempotency key belongs to the member who sent it: another member's request with the same key is judged by itself.
-- Keys from before this migration have no member, and no request finds them any more. A repetition of such a request still has
-- no effect: a transfer's id is taken, a cancelled transfer cannot be cancelled, a decision has been made.
alter table causeway.idempotency add column member_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table causeway.idempotency alter column member_id drop default;
alter table causeway.idempotency drop constraint idempotency_pkey;
alter table causeway.idempotency add primary key (company_id, member_id, key);
