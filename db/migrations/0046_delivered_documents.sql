-- That the buyer's side has a document is learnt after it was accepted, if at all: by a callback of the authority, or by asking again.
alter table submissions
  add column delivered_at    timestamptz,
  add column follow_up_at    timestamptz,
  add column follow_up_cause text check (follow_up_cause in ('notified'));
comment on column submissions.follow_up_at is 'when the authority is asked beside the steps of the road: early where it called, later and later where the buyer''s side is silent';

update submissions s set delivered_at = i.updated_at
  from invoices i
 where i.organisation_id = s.organisation_id and i.mode = s.mode and i.id = s.invoice_id and s.state = 'accepted' and i.delivery = 'deliver_to_buyer';

-- A callback names nothing but a reference.
create index submissions_undelivered on submissions (country, mode, reference)
  where goes_to_buyer and delivered_at is null and state in ('unknown', 'signed', 'transmitted', 'accepted');
create index submissions_to_follow_up on submissions (organisation_id, mode, follow_up_at) where follow_up_at is not null;
