-- The language of documents, pages and mails for a buyer, as an ISO 639-1 code. Null: the standard language.
alter table buyers add column language text;
