-- Since 0425 this domain admits 0: the columns that must exceed it have checks of their own.
alter domain causeway.positive_amount rename to quantity;
alter domain causeway.quantity rename constraint positive_amount_check to quantity_check;
