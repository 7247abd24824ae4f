-- The look-up of 0068 refuses tokens that are taken. Apart from it, as 0067 is from 0066.
alter table invoice_shares drop constraint invoice_shares_token_hash_key;
