-- SHA-256 of what a payment request was made from, so that the same submit again is known from another under the same id. Null of requests made before.
alter table causeway.payment_request add column made_as bytea check (length(made_as) = 32);
