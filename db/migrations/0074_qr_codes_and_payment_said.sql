-- Sweeps that give registered documents their QR code look for those that have none.
create index invoices_without_qr_code on invoices (organisation_id, mode, id) where irn is not null and qr_text is null;

-- Which of several submissions of a document is the last is told by its number: the clocks of two nodes need not agree. Nodes of versions before
-- write 1.
alter table submissions add column ordinal integer not null default 1;
comment on column submissions.ordinal is 'the how-many-eth time that the document was submitted, from 1';
update submissions s set ordinal = numbered.nth
  from (select organisation_id, mode, id, row_number() over (partition by organisation_id, mode, invoice_id order by created_at, id) as nth
          from submissions) as numbered
 where s.organisation_id = numbered.organisation_id and s.mode = numbered.mode and s.id = numbered.id and numbered.nth > 1;

-- What the bytes of a document say of payment. Null in rows of versions before, until a sweep has read their bytes.
alter table submissions add column payment_said text;
comment on column submissions.payment_said is 'what the document itself says of payment: pending or paid; null until its bytes were read';
create index submissions_payment_unread on submissions (organisation_id, mode, id) where payment_said is null and state = 'accepted';
-- Another consumer, which follows more events, has taken its work over.
delete from event_places where consumer = 'payments-to-tell';
