-- What goes with every outgoing payment, of whatever kind (docs/adr/0052), is named after it.
alter table causeway.transfer_attachment rename to outgoing_attachment;
alter index causeway.transfer_attachment_of_file rename to outgoing_attachment_of_file;
alter table causeway.transfer_authorisation rename to outgoing_authorisation;
alter table causeway.outgoing_authorisation rename column transfer_id to transaction_id;
