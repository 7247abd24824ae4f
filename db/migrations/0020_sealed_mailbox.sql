-- The built-in mailbox holds codes and links of people, also in production where no mail server is configured: what it keeps is sealed, as
-- what waits to be sent is.
-- why: what it kept in clear cannot be sealed from here, and its codes have run out.
delete from mailbox;
-- why: the sealed body holds all of them.
alter table mailbox drop column subject, drop column text_body, drop column html_body, drop column attachments;
alter table mailbox add column sealed_body text not null;
