-- SHA-256 of the request that made a card: the same request under the same id is answered again, another one is refused. Null of cards made before.
alter table causeway.card add column made_as bytea check (length(made_as) = 32);
