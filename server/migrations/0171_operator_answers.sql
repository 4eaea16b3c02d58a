-- What nodes said of the bytes that were offered to them. The same answer of the same node is one row with a count, and an attempt keeps
-- its newest rows only (`keepAnswers`), so that a payment that is offered for days stays small.
create table causeway.chain_answer (
  company_id uuid not null,
  payment_id uuid not null,
  attempt integer not null,
  node text not null,
  answer text not null check (answer in ('accepted', 'known', 'spent', 'refused', 'silent')),
  -- The node's own words; empty where it took the bytes or said nothing.
  words text not null default '' check (length(words) <= 500),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  times integer not null default 1 check (times > 0),
  primary key (company_id, payment_id, attempt, node, answer, words),
  foreign key (company_id, payment_id, attempt) references causeway.chain_send (company_id, payment_id, attempt)
);
call causeway.fence('causeway.chain_answer');
grant select on causeway.chain_answer to causeway_operator, causeway_console;
grant select, insert, update (last_at, times), delete on causeway.chain_answer to causeway_worker;
