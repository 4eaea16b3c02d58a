-- The currency in which a company keeps its books: the value of each new transaction is kept in it, beside US dollars.
alter table causeway.company_setting
  add column base_currency text not null default 'USD' check (base_currency in ('USD', 'HKD', 'EUR', 'GBP', 'SGD', 'CNY'));
