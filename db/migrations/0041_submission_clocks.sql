-- Until when the law wants a document reported, when the authority got it, and when its owner was told that time runs out. What was issued
-- before has no deadline: it has passed, or nobody knows from when it counts.
alter table invoices
  add column report_due_at  timestamptz,
  add column reported_at    timestamptz,
  add column report_told_at timestamptz;
-- Few documents have a deadline, and of these only those stand here that are not reported yet: one for lists, one for whoever tells.
create index invoices_to_report on invoices (organisation_id, mode, report_due_at) where report_due_at is not null and reported_at is null;
create index invoices_report_due on invoices (report_due_at) where report_due_at is not null and reported_at is null;
-- What was given up and is not decided, for figures.
create index submissions_failed on submissions (country, mode) where failed_at is not null;
-- What was set aside for each: whoever takes it need not look it up in a ledger that may be long.
alter table submissions add column held_credits bigint;
update submissions s
   set held_credits = coalesce((select m.amount from credit_moves m
                                 where m.organisation_id = s.organisation_id and m.mode = s.mode and m.type = 'hold' and m.cause = 'submission:' || s.id), 0);
alter table submissions alter column held_credits set not null;
