-- What the authority was last told of a document's payment; nothing as long as what the document itself says holds.
alter table submissions add column payment_told text;
