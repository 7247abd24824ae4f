-- A reminder is checked again when its mail is sent. These columns say what was not sent, and why.
--
-- For a reminder by hand: the version of the invoice in its event. Null for reminders of the plan, and for older ones.
alter table sent_reminders add column invoice_version bigint;
-- Why the mail left this invoice out. Null if the reminder was not stopped.
alter table sent_reminders add column not_sent_reason text;
-- An attempt before had no answer, so the buyer may have the mail.
alter table sent_reminders add column may_have_arrived boolean not null default false;
-- Attempts whose end is not known: the process died, or the connection broke. Counted only for messages that are written anew for each attempt.
alter table messages add column open_attempts integer not null default 0;
