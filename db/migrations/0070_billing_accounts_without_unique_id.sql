-- Nobody asks for an account by its id alone, and ids are unique by how they are made.
alter table billing_accounts drop constraint billing_accounts_id_key;
